#include "core/mri/check/centre_gap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace recon {

std::string gap_at_centre(const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    constexpr double very_centre = 0.75, bridged = 2.2;  // cycles per field of view
    double next = std::numeric_limits<double>::infinity();
#pragma omp parallel for schedule(static) reduction(min : next)
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        double square = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (matrix_size[axis] > 1) {
                square += std::pow(trajectory.k[axis][static_cast<std::size_t>(m)], 2);
            }
        }
        if (square > very_centre * very_centre) {
            next = std::min(next, square);
        }
    }
    next = std::sqrt(next);
    if (!std::isfinite(next) || next <= bridged) {
        return "";
    }
    return fmt::format(
        "no sample lies around the centre of k-space up to {:.1f} cycles per field of view: the image's brightness "
        "over "
        "the field is guessed, and the predicted error does not know how well; measure the centre apart, as WASPI and "
        "PETRA do",
        next);
}

}  // namespace recon
