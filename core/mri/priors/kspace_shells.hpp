#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon {

/// Shells of |k| in physical units, one cycle per largest field of view thick, and what samples of k-space add up to in
/// them.
class KspaceShells {
public:
    /// @param field_of_view_mm  0 where unknown: of any axis, and all are taken to have voxels of 1 mm
    KspaceShells(const Trajectory& trajectory, PerAxis<Index> matrix_size, PerAxis<double> field_of_view_mm);

    /// |k| of a sample in cycles per mm, axes of one voxel left out.
    double k_per_mm(const Trajectory& trajectory, Index sample) const;
    std::size_t shell_of(const Trajectory& trajectory, Index sample) const {
        return shell_at(k_per_mm(trajectory, sample));
    }
    /// The last one for |k| beyond it.
    std::size_t shell_at(double k_per_mm) const;
    double width_per_mm() const { return width_; }
    /// Factors from cycles per field of view to cycles per mm; 0 for an axis of one voxel.
    const PerAxis<double>& factors() const { return factors_; }

    /// Adds samples that the coils together measured an energy sum_c |d_c|^2 in.
    /// @param energies  [sample]  @param gains  squared moduli that the voxel basis has there, [sample]; empty means 1
    void add(const Trajectory& trajectory, std::span<const double> energies, std::span<const double> gains);

    std::vector<double> count;   ///< samples in each shell
    std::vector<double> k_sum;   ///< of their |k|
    std::vector<double> energy;  ///< of sum_c |d_c|^2
    std::vector<double> gain;    ///< of the voxel basis' squared moduli

    double mean_k(std::size_t shell) const { return k_sum[shell] / count[shell]; }

private:
    PerAxis<double> factors_{};
    double width_ = 0;
};

}  // namespace recon
