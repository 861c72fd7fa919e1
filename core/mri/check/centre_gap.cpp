#include "core/mri/check/centre_gap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace recon {
namespace {

constexpr double very_centre = 0.75;  // cycles per field of view

}  // namespace

double nearest_sample(const Trajectory& trajectory, const PerAxis<Index>& matrix_size, double beyond) {
    const double least_square = beyond * std::abs(beyond);
    double nearest = std::numeric_limits<double>::infinity();
#pragma omp parallel for schedule(static) reduction(min : nearest)
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        double square = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (matrix_size[axis] > 1) {
                square += std::pow(trajectory.k[axis][static_cast<std::size_t>(m)], 2);
            }
        }
        if (square > least_square) {
            nearest = std::min(nearest, square);
        }
    }
    return std::sqrt(nearest);
}

bool has_gap_at_centre(const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    constexpr double more_than_cartesian = 1.4;  // whose samples are 1 apart
    return nearest_sample(trajectory, matrix_size, very_centre) > more_than_cartesian;
}

std::string gap_at_centre(const Scan& scan, const Frame& first) {
    constexpr double bridged = 2.2;
    const Trajectory& trajectory = *first.trajectory;
    const PerAxis<Index>& matrix_size = scan.geometry.matrix_size;
    const bool maps_are_estimated = scan.coil_maps.empty() && scan.coil_count > 1;
    const double next = nearest_sample(trajectory, matrix_size, very_centre);
    if (std::isfinite(next) && next > bridged) {
        const bool has_centre = nearest_sample(trajectory, matrix_size, -1) <= very_centre;
        return fmt::format(
            "{}no sample lies around the centre of k-space up to {:.1f} cycles per field of view: the image's "
            "brightness over the field is guessed, and the predicted error does not know how well; {}",
            has_centre ? "but for its very middle, " : "", next,
            has_centre ? "sample more densely around it" : "measure the centre apart, as WASPI and PETRA do");
    }
    if (maps_are_estimated && nearest_sample(trajectory, matrix_size, -1) > very_centre) {
        return fmt::format(
            "no sample lies at the centre of k-space, from which the coils' sensitivities are estimated (the nearest "
            "is {:.1f} cycles per field of view away): they may be wrong, and the predicted error does not know; give "
            "`coil_maps`",
            next);
    }
    return "";
}

}  // namespace recon
