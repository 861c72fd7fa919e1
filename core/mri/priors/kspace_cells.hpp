#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon {

/// What samples of k-space add up to in cells of (|k_x|, |k_y|, |k_z|), half an octave wide from half a cycle per field
/// of view on: for what differs from direction to direction.
class KspaceCells {
public:
    /// @param factors  KspaceShells::factors
    KspaceCells(PerAxis<Index> matrix_size, const PerAxis<double>& factors);

    /// Adds samples, as KspaceShells::add. The same sums for any number of threads.
    void add(const Trajectory& trajectory, std::span<const double> energies, std::span<const double> gains);

    const PerAxis<double>& factors() const { return factors_; }

    std::vector<double> count;               ///< samples in each cell
    std::vector<double> energy;              ///< of sum_c |d_c|^2
    std::vector<double> gain;                ///< of the voxel basis' squared moduli
    PerAxis<std::vector<double>> k_squared;  ///< of their k along each axis, (cycles per mm)^2

private:
    PerAxis<double> factors_;
    PerAxis<Index> cell_counts_{1, 1, 1};
};

}  // namespace recon
