#include "core/mri/priors/kspace_shells.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/host_pages.hpp"

namespace recon {

KspaceShells::KspaceShells(const Trajectory& trajectory, PerAxis<Index> matrix_size, PerAxis<double> field_of_view_mm,
                           const PerAxis<double>& stretch) {
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] > 1 && !(field_of_view_mm[axis] > 0)) {
            field_of_view_mm = {static_cast<double>(matrix_size[0]), static_cast<double>(matrix_size[1]),
                                static_cast<double>(matrix_size[2])};
            break;
        }
    }
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] > 1) {
            factors_[axis] = stretch[axis] / field_of_view_mm[axis];
            largest = std::max(largest, 1 / factors_[axis]);
        }
    }
    width_ = largest > 0 ? 1 / largest : 1;
    double edge = 0;
#pragma omp parallel for schedule(static) reduction(max : edge)
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        edge = std::max(edge, k_per_mm(trajectory, m));
    }
    const auto shells = static_cast<std::size_t>(edge / width_) + 1;
    for (std::vector<double>* sums : {&count, &k_sum, &energy, &gain}) {
        sums->assign(shells, 0.0);
    }
}

double KspaceShells::k_per_mm(const Trajectory& trajectory, Index sample) const {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (factors_[axis] > 0) {
            const double part = factors_[axis] * static_cast<double>(trajectory.k[axis][sample]);
            square += part * part;
        }
    }
    return std::sqrt(square);
}

std::size_t KspaceShells::shell_at(double k_per_mm) const {
    return std::min(static_cast<std::size_t>(k_per_mm / width_), count.size() - 1);
}

std::vector<std::uint32_t> KspaceShells::shells_of(const Trajectory& trajectory) const {
    auto shells = unwritten_vector<std::uint32_t>(static_cast<std::size_t>(trajectory.sample_count()));
#pragma omp parallel for schedule(static)
    for (std::size_t m = 0; m < shells.size(); ++m) {
        shells[m] = static_cast<std::uint32_t>(shell_at(k_per_mm(trajectory, static_cast<Index>(m))));
    }
    return shells;
}

std::vector<std::uint32_t> KspaceShells::shells_of(std::span<const double> k_per_mm) const {
    auto shells = unwritten_vector<std::uint32_t>(k_per_mm.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < shells.size(); ++i) {
        shells[i] = static_cast<std::uint32_t>(shell_at(k_per_mm[i]));
    }
    return shells;
}

void KspaceShells::add(const Trajectory& trajectory, std::span<const std::uint32_t> shells,
                       std::span<const double> energies, std::span<const double> gains) {
    const std::size_t stride = count.size();
    const std::vector<double> added = sums_of_runs(
        std::ssize(shells),
        [&](Index first, Index end, std::span<double> sums) {
            for (auto m = static_cast<std::size_t>(first); m < static_cast<std::size_t>(end); ++m) {
                const double sees = gains.empty() ? 1 : gains[m];
                if (!(sees > 0)) {
                    continue;
                }
                double* const of_shell = &sums[shells[m]];
                of_shell[0] += 1;
                of_shell[stride] += k_per_mm(trajectory, static_cast<Index>(m));
                of_shell[2 * stride] += energies[m];
                of_shell[3 * stride] += sees;
            }
        },
        4);
    auto from = added.begin();
    for (std::vector<double>* all : {&count, &k_sum, &energy, &gain}) {
        std::transform(all->begin(), all->end(), from, all->begin(), std::plus<>());
        from += static_cast<std::ptrdiff_t>(stride);
    }
}

}  // namespace recon
