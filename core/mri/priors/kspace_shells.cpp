#include "core/mri/priors/kspace_shells.hpp"

#include <algorithm>
#include <cmath>

namespace recon {

KspaceShells::KspaceShells(const Trajectory& trajectory, PerAxis<Index> matrix_size, PerAxis<double> field_of_view_mm) {
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
            factors_[axis] = 1 / field_of_view_mm[axis];
            largest = std::max(largest, field_of_view_mm[axis]);
        }
    }
    width_ = largest > 0 ? 1 / largest : 1;
    double edge = 0;
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

void KspaceShells::add(const Trajectory& trajectory, std::span<const double> energies, std::span<const double> gains) {
    for (std::size_t m = 0; m < energies.size(); ++m) {
        const double k = k_per_mm(trajectory, static_cast<Index>(m));
        const std::size_t shell = shell_at(k);
        count[shell] += 1;
        k_sum[shell] += k;
        energy[shell] += energies[m];
        gain[shell] += gains.empty() ? 1 : gains[m];
    }
}

}  // namespace recon
