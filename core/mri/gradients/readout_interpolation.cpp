#include "core/mri/gradients/readout_interpolation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

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

}  // namespace recon
