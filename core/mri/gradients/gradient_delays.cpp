#include "core/mri/gradients/gradient_delays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/mri/gradients/readout_interpolation.hpp"

namespace recon {

double GradientDelays::at(std::size_t row, std::size_t column) const {
    return row == column ? samples[row] : cross[row + column - 1];  // xy, xz, yz: 0+1, 0+2, 1+2
}

std::string GradientDelays::text() const {
    const auto shown = [](double value) { return rounded(value, 3); };
    std::string text =
        fmt::format("x {:.3f}, y {:.3f}, z {:.3f}", shown(samples[0]), shown(samples[1]), shown(samples[2]));
    if (std::ranges::any_of(cross, [&](double value) { return shown(value) != 0; })) {
        text += fmt::format(", xy {:.3f}, xz {:.3f}, yz {:.3f}", shown(cross[0]), shown(cross[1]), shown(cross[2]));
    }
    return text;
}

std::shared_ptr<const Trajectory> delayed(const Trajectory& trajectory, Index samples_per_readout,
                                          const GradientDelays& delays) {
    if (samples_per_readout < 1 || trajectory.sample_count() % samples_per_readout != 0) {
        throw InputError("gradient delays need readouts of equal length, and the scan does not say theirs");
    }
    auto result = std::make_shared<Trajectory>(trajectory);
    for (Index first = 0; first < trajectory.sample_count(); first += samples_per_readout) {
        const double start = start_of_readout(trajectory, first, samples_per_readout);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                const double delay = delays.at(i, j);
                if (delay == 0) {
                    continue;
                }
                const std::span<const double> readout(trajectory.k[j].data() + first,
                                                      static_cast<std::size_t>(samples_per_readout));
                for (std::size_t s = 0; s < readout.size(); ++s) {
                    result->k[i][static_cast<std::size_t>(first) + s] +=
                        position_at(readout, std::max(static_cast<double>(s) - delay, start)) - readout[s];
                }
            }
        }
    }
    return result;
}

}  // namespace recon
