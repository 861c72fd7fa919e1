#pragma once

#include <span>

#include "core/operators/sampling/fourier_sums_choice.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

/// The differences that compute_q sums: those whose component along the slowest axis with more than one voxel is not
/// negative.
VoxelGrid half_of_differences(PerAxis<Index> matrix_size);

/// How compute_q will sum. @param sample_count  of all ranks
SumsChoice choose_q_sums(const Backend& backend, Index sample_count, PerAxis<Index> matrix_size,
                         const SumsOptions& options);

/// What compute_q occupies at its peak, its result included.
/// @param half_sums  those on half of the differences, @param piece_bytes  as MemoryBudget::piece_bytes
std::size_t compute_q_bytes(const FourierSumsSizes& half_sums, Index sample_count, PerAxis<Index> matrix_size,
                            Precision precision, std::size_t piece_bytes);

/// Half of Q, on half_of_differences(matrix_size): the sum over the samples of all ranks, parameters as for compute_q.
Array compute_half_of_q(Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                        std::span<const double> weights, const SumsChoice& choice, const SumsOptions& options,
                        Communicator& ranks);

/// All of Q from that half: Q(-x) = conj(Q(x)).
Array q_from_half(Backend& backend, const Array& half, PerAxis<Index> matrix_size);

/// Q(x) = sum_m w_m exp(i 2 pi k_m.x), the kernel of the Toeplitz form of F^H W F, on all differences of two voxels.
///
/// Half of the differences are summed, by exact sums or NUFFT as the options choose; Q(-x) = conj(Q(x)) gives the rest,
/// and holds exactly in the result. `options.precision` is that of the sums and of the result.
/// @param trajectory, weights  [sample], those of this rank; weights may be negative; empty means 1
/// @return on VoxelGrid::differences(matrix_size), the sum over the samples of all ranks
Array compute_q(Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                std::span<const double> weights, const SumsChoice& choice, const SumsOptions& options,
                Communicator& ranks);
/// The same, by the choice of choose_q_sums.
Array compute_q(Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                std::span<const double> weights, const SumsOptions& options, Communicator& ranks = only_rank());

}  // namespace recon
