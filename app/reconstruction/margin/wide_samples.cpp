#include "app/reconstruction/margin/wide_samples.hpp"

#include <algorithm>
#include <cmath>

#include "core/fourier/whole_cycles.hpp"
#include "core/parallel/ordered_indices.hpp"

namespace recon {
namespace {

constexpr Index fewest_voxels = 8;    ///< an axis of less has little but borders
constexpr Index looked_at = 1 << 19;  ///< samples: of more, some readouts
constexpr Index enough = 1 << 15;     ///< of them, within the region
constexpr double beyond_region = 2;   ///< cycles: samples that tell its points still (calibration_sample_indices)

bool is_one_in(Index of, Index readout) {
    constexpr double irrational = 0.41421356237309505;  // sqrt(2) - 1: no angle that readouts turn by
    const double place = irrational * static_cast<double>(readout);
    return static_cast<double>(of) * (place - std::floor(place)) < 1;
}

}  // namespace

WideSamples::WideSamples(const Scan& scan, const Frame& frame, double most_cycles)
    : matrix_size(scan.geometry.matrix_size) {
    const PerAxis<std::vector<double>>& k = frame.trajectory->k;
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] >= fewest_voxels && lies_off_whole_cycles(k[axis])) {
            factor[axis] = widening;
            matrix_size[axis] *= static_cast<Index>(widening);
        }
    }
    if (!can_tell()) {
        return;
    }
    const CalibrationRegion largest = CalibrationRegion::of_radius(matrix_size, most_cycles);
    const Index count = frame.sample_count(), length = scan.samples_per_readout > 0 ? scan.samples_per_readout : 256;
    const Index stride = (count + looked_at - 1) / looked_at;
    const std::vector<Index> readouts =
        ordered_indices((count + length - 1) / length, [&](Index readout) { return is_one_in(stride, readout); });
    const auto sample = [&](Index i) { return readouts[i / length] * length + i % length; };
    numbers = ordered_indices(std::ssize(readouts) * length, [&](Index i) {
        const Index m = sample(i);
        return m < count &&
               largest.contains({factor[0] * k[0][m], factor[1] * k[1][m], factor[2] * k[2][m]}, beyond_region);
    });
    std::ranges::transform(numbers, numbers.begin(), sample);
    const Index fewer = (std::ssize(numbers) + enough - 1) / enough;
    std::erase_if(numbers, [&](Index m) { return !is_one_in(stride * fewer, m / length); });
    for (int axis = 0; axis < 3; ++axis) {
        for (const Index m : numbers) {
            trajectory.k[axis].push_back(matrix_size[axis] > 1 ? factor[axis] * k[axis][m] : 0);
        }
    }
}

CalibrationSamples WideSamples::of_few_coils(const CalibrationRegion& region, const AllCoils& kspace,
                                             Index most_coils) const {
    const std::vector<Index> inside = calibration_sample_indices(region, trajectory);
    CalibrationSamples samples{region, {}, {}, std::min(most_coils, kspace.coil_count())};
    std::vector<Index> of_frame;
    for (const Index i : inside) {
        of_frame.push_back(numbers[i]);
        for (int axis = 0; axis < 3; ++axis) {
            samples.trajectory.k[axis].push_back(trajectory.k[axis][i]);
        }
    }
    const std::vector<cfloat> all = kspace.at(of_frame);
    const Index count = std::ssize(of_frame);
    samples.kspace.assign(static_cast<std::size_t>(count * samples.coil_count), 0);
    for (Index coil = 0; coil < kspace.coil_count(); ++coil) {
        const cfloat phase(std::polar(1.0, static_cast<double>(coil * coil)));  // radians: as good as random
        const auto source = all.begin() + coil * count;
        const auto sum = samples.kspace.begin() + coil % samples.coil_count * count;
        std::transform(source, source + count, sum, sum,
                       [phase](cfloat value, cfloat before) { return before + phase * value; });
    }
    return samples;
}

CalibrationSamples WideSamples::in_field_of_view(CalibrationSamples samples) const {
    for (int axis = 0; axis < 3; ++axis) {
        samples.region.radius[axis] /= factor[axis];
        for (double& k : samples.trajectory.k[axis]) {
            k /= factor[axis];
        }
    }
    return samples;
}

}  // namespace recon
