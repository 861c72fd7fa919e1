#include "core/mri/check/coils/deaf_coils.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/median.hpp"
#include "core/parallel/ordered_indices.hpp"

namespace recon {

std::vector<Index> deaf_coils(const AllCoils& kspace, const Trajectory& trajectory, const CoilNoise& noise) {
    constexpr double near = 2, nothing = 0.01, little = 2, clear = 20;
    constexpr Index fewest_coils = 3, enough = 4096;
    std::vector<Index> deaf;
    const auto is_near = [&](int axis, Index m) { return std::abs(trajectory.k[axis][m]) <= near; };
    const std::vector<Index> centre = ordered_indices(
        trajectory.sample_count(), [&](Index m) { return is_near(0, m) && is_near(1, m) && is_near(2, m); });
    if (centre.empty() || kspace.coil_count() < fewest_coils) {
        return deaf;
    }
    const Index step = 1 + std::ssize(centre) / enough;
    const std::vector<double> sizes = kspace.of_each([&](std::span<const cfloat> coil) {
        double energy = 0, count = 0;
        for (Index i = 0; i < std::ssize(centre); i += step, ++count) {
            energy += std::norm(cdouble(coil[static_cast<std::size_t>(centre[i])]));
        }
        return std::sqrt(energy / count);
    });
    std::vector<double> in_noise;
    for (std::size_t coil = 0; coil < sizes.size(); ++coil) {
        in_noise.push_back(noise.sigma[coil] > 0 ? sizes[coil] / noise.sigma[coil] : 0);
    }
    const double usual = median(sizes);
    const bool is_clear = median(in_noise) > clear;
    for (std::size_t coil = 0; coil < sizes.size(); ++coil) {
        const bool is_noise = is_clear && in_noise[coil] > 0 && in_noise[coil] < little;
        if (sizes[coil] < nothing * usual || is_noise) {
            deaf.push_back(static_cast<Index>(coil));
        }
    }
    return deaf;
}

}  // namespace recon
