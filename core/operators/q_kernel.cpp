#include "core/operators/q_kernel.hpp"

#include <vector>

namespace recon {
namespace {

/// Fills the first half of all differences from the second: element n mirrors element (size - 1 - n).
/// @param half_size  how many elements at the end were summed
void mirror(std::vector<cdouble>& q, std::size_t half_size) {
    const std::size_t first_summed = q.size() - half_size;
    for (std::size_t n = 0; n <= q.size() / 2; ++n) {
        const std::size_t opposite = q.size() - 1 - n;
        if (n >= first_summed) {  // the plane through the centre was summed whole: take the mean of both halves
            q[opposite] = 0.5 * (q[opposite] + std::conj(q[n]));
        }
        q[n] = std::conj(q[opposite]);
    }
}

/// The sums over one half, [x y z] of `half`.
Array half_of_q(Backend& backend, const Trajectory& trajectory, const VoxelGrid& half, std::span<const double> weights,
                const SumsOptions& options) {
    const SumsChoice choice = choose_sums(backend, options, trajectory.sample_count(), half, 1);
    Array samples(backend, Shape::samples(trajectory.sample_count()), options.precision);
    if (weights.empty()) {
        backend.fill(1, samples);
    } else {
        upload(std::vector<cdouble>(weights.begin(), weights.end()), samples);
    }
    Array q(backend, half.shape, options.precision);
    make_fourier_sums(backend, trajectory, half, choice, options)->adjoint(samples, q);
    return q;
}

}  // namespace

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

Array compute_q(Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                std::span<const double> weights, const SumsOptions& options) {
    const VoxelGrid half = half_of_differences(matrix_size);
    const VoxelGrid differences = VoxelGrid::differences(matrix_size);
    std::vector<cdouble> all(differences.shape.element_count());
    const std::size_t half_size = half.shape.element_count();
    download(half_of_q(backend, trajectory, half, weights, options), std::span<cdouble>(all).last(half_size));
    mirror(all, half_size);
    Array q(backend, differences.shape, options.precision);
    upload(all, q);
    return q;
}

}  // namespace recon
