#include "core/operators/q_kernel.hpp"

#include "core/log.hpp"

namespace recon {
namespace {

/// The differences whose component along the slowest axis with more than one voxel is not negative.
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

/// All differences from one half, which is the second half of the memory: element n mirrors element (size - 1 - n).
void mirror(ArrayView q, ConstArrayView half) {
    const std::vector<cdouble> upper = download<double>(half);
    std::vector<cdouble> all(q.size());
    const std::size_t first = all.size() - upper.size();
    std::copy(upper.begin(), upper.end(), all.begin() + first);
    for (std::size_t n = 0; n <= all.size() / 2; ++n) {
        const std::size_t opposite = all.size() - 1 - n;
        if (n >= first) {  // the plane through the centre was summed whole: take the mean of both halves
            all[opposite] = 0.5 * (all[opposite] + std::conj(all[n]));
        }
        all[n] = std::conj(all[opposite]);
    }
    upload(all, q);
}

}  // namespace

Array compute_q(Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                std::span<const double> weights, const SumsOptions& options) {
    const VoxelGrid half = half_of_differences(matrix_size);
    const SumsChoice choice = choose_sums(options, trajectory.sample_count(), half, 1);
    log_info("Q: {}", choice.reason);
    Array half_q(backend, half.shape, options.precision);
    {
        Array samples(backend, Shape::samples(trajectory.sample_count()), options.precision);
        if (weights.empty()) {
            backend.fill(1, samples);
        } else {
            upload(std::vector<cdouble>(weights.begin(), weights.end()), samples);
        }
        make_fourier_sums(backend, trajectory, half, choice, options)->adjoint(samples, half_q);
    }
    Array q(backend, VoxelGrid::differences(matrix_size).shape, options.precision);
    mirror(q, half_q);
    return q;
}

}  // namespace recon
