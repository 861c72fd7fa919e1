#include "app/reconstruction/coils/calibration_images.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/mri/coils/cartesian_kspace.hpp"

namespace recon {
namespace {

/// Energy of all coils in the planes across an axis.
std::vector<double> energy_of_planes(const CalibrationImages& images, int axis) {
    const PerAxis<Index>& matrix = images.matrix;
    const Index plane_step = axis == 0 ? 1 : axis == 1 ? matrix[0] : matrix[0] * matrix[1];
    std::vector<double> energies(matrix[axis], 0.0);
    for (std::size_t i = 0; i < images.values.size(); ++i) {
        energies[static_cast<Index>(i) / plane_step % matrix[axis]] += std::norm(images.values[i]);
    }
    return energies;
}

/// Whether both the first and the last sixteenth hold as much as air, noise and aliases of most scans do not.
bool both_ends_hold_signal(const std::vector<double>& energies) {
    constexpr double least_of_mean = 0.25;
    const auto count = std::ssize(energies), end = std::max<std::ptrdiff_t>(count / 16, 1);
    const auto mean = [&](std::ptrdiff_t first, std::ptrdiff_t size) {
        return std::accumulate(energies.begin() + first, energies.begin() + first + size, 0.0) /
               static_cast<double>(size);
    };
    return count > 1 && std::min(mean(0, end), mean(count - end, end)) > least_of_mean * mean(0, count);
}

}  // namespace

CalibrationKspace CalibrationImages::kspace(Index points_per_cycle) const {
    CalibrationKspace calibration =
        cartesian_kspace(std::span<const cdouble>(values), matrix, region, points_per_cycle);
    for (cdouble& value : calibration.values) {
        value *= scale;
    }
    return calibration;
}

void CalibrationImages::add(const std::vector<CalibrationImages>& of_others) {
    constexpr std::array<cdouble, 3> turns{cdouble(0, 1), cdouble(0, 1), cdouble(-1, 0)};  // |1 + i + i - 1| = sqrt(4)
    for (std::size_t i = 0; i < of_others.size(); ++i) {
        const CalibrationImages& other = of_others[i];
        const cdouble factor = turns[i % turns.size()] * (other.scale / scale);
        std::ranges::transform(values, other.values, values.begin(),
                               [factor](cdouble value, cdouble added) { return value + factor * added; });
    }
}

bool CalibrationImages::touch_opposite_borders() const {
    return both_ends_hold_signal(energy_of_planes(*this, 0)) || both_ends_hold_signal(energy_of_planes(*this, 1)) ||
           both_ends_hold_signal(energy_of_planes(*this, 2));
}

}  // namespace recon
