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
    /// @param stretch  A, where the shells are of |A k| (spectrum_stretch)
    KspaceShells(const Trajectory& trajectory, PerAxis<Index> matrix_size, PerAxis<double> field_of_view_mm,
                 const PerAxis<double>& stretch = {1, 1, 1});

    /// |k| of a sample in cycles per mm, stretched, axes of one voxel left out.
    double k_per_mm(const Trajectory& trajectory, Index sample) const;
    /// The shell of each sample, and of each |k|.
    std::vector<std::uint32_t> shells_of(const Trajectory& trajectory) const;
    std::vector<std::uint32_t> shells_of(std::span<const double> k_per_mm) const;
    /// The last one for |k| beyond it.
    std::size_t shell_at(double k_per_mm) const;
    double width_per_mm() const { return width_; }
    /// Factors from cycles per field of view to cycles per mm, times the stretch; 0 for an axis of one voxel.
    const PerAxis<double>& factors() const { return factors_; }

    /// Adds samples that the coils together measured an energy sum_c |d_c|^2 in.
    /// @param energies  [sample]  @param gains  squared moduli that the voxel basis has there, [sample]; empty means 1;
    /// a sample of 0 tells nothing of the object, and is left out
    /// @param shells  shells_of(trajectory)
    void add(const Trajectory& trajectory, std::span<const std::uint32_t> shells, std::span<const double> energies,
             std::span<const double> gains);

    /// The sums of value(m) over the samples m of each shell, by all threads, in an order that does not depend on how
    /// many.
    template <class Value>
    std::vector<double> sums(std::span<const std::uint32_t> shells, Value&& value) const {
        return sums_of_runs(std::ssize(shells), [&](Index first, Index end, std::span<double> sums) {
            for (auto m = static_cast<std::size_t>(first); m < static_cast<std::size_t>(end); ++m) {
                sums[shells[m]] += value(m);
            }
        });
    }
    /// The same of runs of `sample_count` samples: add(first, end, sums) adds what they have to sums of their own.
    /// @param sums_a_shell  as many lists of sums, one after another
    template <class Add>
    std::vector<double> sums_of_runs(Index sample_count, Add&& add, std::size_t sums_a_shell = 1) const {
        constexpr Index piece_count = 64;
        std::vector<std::vector<double>> pieces(piece_count, std::vector<double>(sums_a_shell * count.size(), 0.0));
#pragma omp parallel for schedule(static)
        for (Index piece = 0; piece < piece_count; ++piece) {
            add(piece * sample_count / piece_count, (piece + 1) * sample_count / piece_count,
                std::span<double>(pieces[static_cast<std::size_t>(piece)]));
        }
        std::vector<double> result(sums_a_shell * count.size(), 0.0);
        for (const std::vector<double>& piece : pieces) {
            for (std::size_t i = 0; i < result.size(); ++i) {
                result[i] += piece[i];
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
