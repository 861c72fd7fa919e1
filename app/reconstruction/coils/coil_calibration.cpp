#include "app/reconstruction/coils/coil_calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Samples so far outside the region still determine its Cartesian points.
constexpr double margin = 2;  // cycles per FOV

}  // namespace

PerAxis<Index> calibration_matrix(const CalibrationRegion& region) {
    // Its band holds the region, the margin, and as much again beyond, so that what a sample at the edge says need not
    // wrap.
    PerAxis<Index> size{1, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
        if (region.radius[axis] > 0) {
            size[axis] = 2 * static_cast<Index>(std::ceil(region.radius[axis] + 2 * margin));
        }
    }
    return size;
}

std::vector<Index> calibration_sample_indices(const CalibrationRegion& region, const Trajectory& trajectory) {
    return samples_within(region, trajectory, margin);
}

CalibrationSamples calibration_samples(const CalibrationRegion& region, const Trajectory& trajectory,
                                       const AllCoils& kspace) {
    const std::vector<Index> inside = calibration_sample_indices(region, trajectory);
    CalibrationSamples samples{region, {}, {}, kspace.coil_count()};
    for (const Index m : inside) {
        for (int axis = 0; axis < 3; ++axis) {  // along an axis with one voxel k has no effect
            samples.trajectory.k[axis].push_back(region.radius[axis] > 0 ? trajectory.k[axis][m] : 0);
        }
    }
    samples.kspace = kspace.at(inside);
    if (std::all_of(samples.kspace.begin(), samples.kspace.end(), [](cfloat v) { return v == cfloat(0); })) {
        throw InputError(
            fmt::format("coil maps: {} samples within {:.3g} cycles per FOV of the centre of k-space, and "
                        "none holds signal; give `coil_maps` FILE or a larger `calibration_radius`",
                        inside.size(), *std::max_element(region.radius.begin(), region.radius.end())));
    }
    return samples;
}

}  // namespace recon
