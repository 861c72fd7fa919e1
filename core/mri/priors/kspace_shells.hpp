#pragma once

#include <cstdint>
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
    /// The shell of each sample, and of each |k|.
    std::vector<std::uint32_t> shells_of(const Trajectory& trajectory) const;
    std::vector<std::uint32_t> shells_of(std::span<const double> k_per_mm) const;
    /// The last one for |k| beyond it.
    std::size_t shell_at(double k_per_mm) const;
    double width_per_mm() const { return width_; }
    /// Factors from cycles per field of view to cycles per mm; 0 for an axis of one voxel.
    const PerAxis<double>& factors() const { return factors_; }

    /// Adds samples that the coils together measured an energy sum_c |d_c|^2 in.
    /// @param energies  [sample]  @param gains  squared moduli that the voxel basis has there, [sample]; empty means 1
    /// @param shells  shells_of(trajectory)
    void add(const Trajectory& trajectory, std::span<const std::uint32_t> shells, std::span<const double> energies,
             std::span<const double> gains);

    /// The sum of value(m) over the samples m of each shell, by all threads, in an order that does not depend on how
    /// many.
    template <class Value>
    std::vector<double> sums(std::span<const std::uint32_t> shells, Value&& value) const {
        constexpr std::size_t piece_count = 64;
        std::vector<std::vector<double>> pieces(piece_count, std::vector<double>(count.size(), 0.0));
#pragma omp parallel for schedule(static)
        for (std::size_t piece = 0; piece < piece_count; ++piece) {
            for (std::size_t m = piece * shells.size() / piece_count; m < (piece + 1) * shells.size() / piece_count;
                 ++m) {
                pieces[piece][shells[m]] += value(m);
            }
        }
        std::vector<double> result(count.size(), 0.0);
        for (const std::vector<double>& piece : pieces) {
            for (std::size_t shell = 0; shell < result.size(); ++shell) {
                result[shell] += piece[shell];
            }
        }
        return result;
    }

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
