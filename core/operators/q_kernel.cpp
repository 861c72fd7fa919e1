#include "core/operators/q_kernel.hpp"

#include <algorithm>
#include <vector>

namespace recon {

VoxelGrid half_of_differences(PerAxis<Index> matrix_size) {
    VoxelGrid grid = VoxelGrid::differences(matrix_size);
    PerAxis<Index> extent = grid.shape.matrix_size();
    for (int axis = 2; axis >= 0; --axis) {
        if (matrix_size[axis] > 1) {
            extent[axis] = matrix_size[axis];
            grid.origin[axis] = 0;
            break;
        }
    }
    grid.shape = Shape::image(extent);
    return grid;
}

SumsChoice choose_q_sums(const Backend& backend, Index sample_count, PerAxis<Index> matrix_size,
                         const SumsOptions& options) {
    return choose_sums(backend, options, sample_count, half_of_differences(matrix_size), 1);
}

std::size_t compute_q_bytes(const FourierSumsSizes& half_sums, Index sample_count, PerAxis<Index> matrix_size,
                            Precision precision, std::size_t piece_bytes) {
    const std::size_t all = VoxelGrid::differences(matrix_size).shape.element_count() * complex_bytes(precision);
    const std::size_t half = half_of_differences(matrix_size).shape.element_count() * complex_bytes(precision);
    const std::size_t samples = sample_count * complex_bytes(precision);
    const PlanBytes sums = half_sums.bytes(1, piece_bytes);
    return half + std::max(samples + sums.held + std::max(sums.making, sums.running), all);
}

/// All ranks sum the same way, which is that of one rank alone.
Array compute_half_of_q(Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                        std::span<const double> weights, const SumsChoice& choice, const SumsOptions& options,
                        Communicator& ranks) {
    const VoxelGrid half = half_of_differences(matrix_size);
    Array samples(backend, Shape::samples(trajectory.sample_count()), options.precision);
    if (weights.empty()) {
        backend.fill(1, samples);
    } else {
        upload(std::vector<cdouble>(weights.begin(), weights.end()), samples);
    }
    Array q(backend, half.shape, options.precision);
    make_fourier_sums(backend, trajectory, choice)->adjoint(samples, q);
    ranks.all_reduce_sum(q);
    return q;
}

Array q_from_half(Backend& backend, const Array& half, PerAxis<Index> matrix_size) {
    Array q(backend, VoxelGrid::differences(matrix_size).shape, half.precision());
    // Q(-x) = conj(Q(x)); the plane through the centre has been summed whole.
    backend.mirror_conjugate(half, q);
    return q;
}

Array compute_q(Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                std::span<const double> weights, const SumsChoice& choice, const SumsOptions& options,
                Communicator& ranks) {
    return q_from_half(backend, compute_half_of_q(backend, trajectory, matrix_size, weights, choice, options, ranks),
                       matrix_size);
}

Array compute_q(Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                std::span<const double> weights, const SumsOptions& options, Communicator& ranks) {
    const double sample_count = ranks.sum(static_cast<double>(trajectory.sample_count()));
    const SumsChoice choice = choose_q_sums(backend, static_cast<Index>(sample_count), matrix_size, options);
    return compute_q(backend, trajectory, matrix_size, weights, choice, options, ranks);
}

}  // namespace recon
