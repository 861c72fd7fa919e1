#include "core/mri/gradients/impulse_response.hpp"

#include <algorithm>
#include <cstddef>

#include "core/base/error.hpp"
#include "core/mri/gradients/readout_interpolation.hpp"

namespace recon {
namespace {

/// Adds the answer along one axis to what one readout does along another, from its start (start_of_readout).
void add_response(std::span<const double> readout, double start, double dwell_s, const std::vector<double>& times_s,
                  const std::vector<double>& weights, std::span<double> to) {
    for (std::size_t s = 0; s < readout.size(); ++s) {
        for (std::size_t m = 0; m < weights.size(); ++m) {
            if (weights[m] != 0) {
                const double sample = static_cast<double>(s) - times_s[m] / dwell_s;
                to[s] += weights[m] * position_at(readout, std::max(sample, start));
            }
        }
    }
}

}  // namespace

std::shared_ptr<const Trajectory> filtered(const Trajectory& trajectory, std::span<const float> sample_times_s,
                                           Index samples_per_readout, const GradientImpulseResponse& response) {
    const Index count = trajectory.sample_count();
    if (samples_per_readout < 2 || count % samples_per_readout != 0) {
        throw InputError("`girf` needs readouts of equal length, and the scan does not say theirs");
    }
    if (static_cast<Index>(sample_times_s.size()) != count) {
        throw InputError("`girf` needs the times of the samples, and the scan has none; give `dwell`");
    }
    auto result = std::make_shared<Trajectory>();
    for (std::size_t i = 0; i < 3; ++i) {
        result->k[i].assign(static_cast<std::size_t>(count), 0);
        for (Index begin = 0; begin < count; begin += samples_per_readout) {
            const auto first = static_cast<std::size_t>(begin), length = static_cast<std::size_t>(samples_per_readout);
            const double dwell_s = (static_cast<double>(sample_times_s[first + length - 1]) - sample_times_s[first]) /
                                   static_cast<double>(length - 1);
            if (!(dwell_s > 0)) {
                throw InputError("`girf` needs times that go on from sample to sample; give `dwell`");
            }
            const double start = start_of_readout(trajectory, begin, samples_per_readout);
            for (std::size_t j = 0; j < 3; ++j) {
                add_response({trajectory.k[j].data() + first, length}, start, dwell_s, response.times_s,
                             response.weights[3 * i + j], {result->k[i].data() + first, length});
            }
        }
    }
    return result;
}

}  // namespace recon
