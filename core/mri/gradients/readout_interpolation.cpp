#include "core/mri/gradients/readout_interpolation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace recon {

double position_at(std::span<const double> k, double sample) {
    const std::size_t count = k.size();
    if (count == 1) {
        return k[0];
    }
    const double last = static_cast<double>(count - 1);
    if (sample <= 0) {
        return k[0] + sample * (k[1] - k[0]);
    }
    if (sample >= last) {
        return k[count - 1] + (sample - last) * (k[count - 1] - k[count - 2]);
    }
    if (count < 4) {
        const auto below = std::min(static_cast<std::size_t>(sample), count - 2);
        return k[below] + (sample - static_cast<double>(below)) * (k[below + 1] - k[below]);
    }
    const auto first = std::clamp(static_cast<std::size_t>(sample), std::size_t{1}, count - 3) - 1;
    const double t = sample - static_cast<double>(first);  // 0 to 3
    // Lagrange's polynomial through 0, 1, 2, 3.
    return -(t - 1) * (t - 2) * (t - 3) / 6 * k[first] + t * (t - 2) * (t - 3) / 2 * k[first + 1] -
           t * (t - 1) * (t - 3) / 2 * k[first + 2] + t * (t - 1) * (t - 2) / 6 * k[first + 3];
}

double start_of_readout(const Trajectory& trajectory, Index first, Index length) {
    constexpr double none = -std::numeric_limits<double>::infinity();
    constexpr double at_the_centre = 0.1;  // cycles per FOV
    if (length < 2) {
        return none;
    }
    const auto at = [&](int axis, Index sample) { return trajectory.k[axis][static_cast<std::size_t>(sample)]; };
    double along = 0, square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double step = at(axis, first + 1) - at(axis, first);
        along += at(axis, first) * step;
        square += step * step;
    }
    if (square == 0) {  // waits for its gradient, wherever that is
        return 0;
    }
    const double start = -along / square;
    double distance = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double step = at(axis, first + 1) - at(axis, first);
        distance = std::hypot(distance, step == 0 ? 0 : at(axis, first) + start * step);
    }
    return start <= 0 && distance < at_the_centre ? start : none;
}

}  // namespace recon
