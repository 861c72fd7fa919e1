#include "core/mri/coils/samples_of_shells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace recon {

std::vector<Index> samples_of_shells(const Trajectory& trajectory, Index shells, Index most_of_shell) {
    const Index sample_count = trajectory.sample_count();
    std::array<double, 3> edge{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double largest = 0;
        const std::vector<double>& k = trajectory.k[axis];
#pragma omp parallel for schedule(static) reduction(max : largest)
        for (Index m = 0; m < sample_count; ++m) {
            largest = std::max(largest, std::abs(k[static_cast<std::size_t>(m)]));
        }
        edge[axis] = largest;
    }
    std::vector<std::uint16_t> shell_of(static_cast<std::size_t>(sample_count));
#pragma omp parallel for schedule(static)
    for (std::size_t m = 0; m < shell_of.size(); ++m) {
        double square = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double part = edge[axis] > 0 ? trajectory.k[axis][m] / edge[axis] : 0;
            square += part * part;
        }
        shell_of[m] = static_cast<std::uint16_t>(
            std::min(static_cast<Index>(std::sqrt(square) * static_cast<double>(shells)), shells - 1));
    }
    std::vector<Index> all(static_cast<std::size_t>(shells)), due(static_cast<std::size_t>(shells));
    for (const std::uint16_t shell : shell_of) {
        ++all[shell];
    }
    std::vector<Index> samples;
    for (std::size_t m = 0; m < shell_of.size(); ++m) {  // evenly over those of a shell, as Bresenham's line steps
        const std::uint16_t shell = shell_of[m];
        due[shell] += std::min(most_of_shell, all[shell]);
        if (due[shell] >= all[shell]) {
            due[shell] -= all[shell];
            samples.push_back(static_cast<Index>(m));
        }
    }
    return samples;
}

}  // namespace recon
