#include <Eigen/Eigenvalues>
#include <cmath>

#include "core/backend/cpu/cpu_image_primitives.hpp"

namespace recon {
namespace {

using Eigen::MatrixXcd;

/// The block's matrix M, [voxel frame].
template <class T>
MatrixXcd block_of(const std::complex<T>* x, Index image_size, Index frame_count, const BlockGrid& blocks,
                   const BlockGrid::Box& box) {
    MatrixXcd matrix(box.voxel_count(), frame_count);
    for (Index frame = 0; frame < frame_count; ++frame) {
        for (Index n = 0; n < box.voxel_count(); ++n) {
            matrix(n, frame) = cdouble(x[frame * image_size + box.voxel(n, blocks.matrix_size)]);
        }
    }
    return matrix;
}

}  // namespace

/// U max(0, S - t) V^H = M V diag(max(0, 1 - t / s)) V^H, with V and s^2 from M^H M: frames are few, voxels are many.
/// In double, so that of s what is above 1e-8 of the largest is right.
void CpuImagePrimitives::do_shrink_singular_values(double threshold, const BlockGrid& blocks, ConstArrayView x,
                                                   ArrayView y, ArrayView block_norms) const {
    const Index frame_count = x.shape().extent(3);
    const Index image_size = x.size() / frame_count;
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        const std::complex<T>* in = x.data<T>();
        std::complex<T>* out = y.data<T>();
#pragma omp parallel for schedule(static)
        for (Index block = 0; block < blocks.count(); ++block) {
            const BlockGrid::Box box = blocks.box(block);
            const MatrixXcd matrix = block_of(in, image_size, frame_count, blocks, box);
            const Eigen::SelfAdjointEigenSolver<MatrixXcd> eigen(matrix.adjoint() * matrix);
            const Eigen::VectorXd singular = eigen.eigenvalues().cwiseMax(0).cwiseSqrt();
            const double weight =
                std::sqrt(static_cast<double>(box.voxel_count())) + std::sqrt(static_cast<double>(frame_count));
            const double least = weight * threshold;
            const Eigen::VectorXd factors =
                singular.unaryExpr([least](double s) { return s > least ? 1 - least / s : 0.0; });
            const MatrixXcd shrunk =
                matrix * (eigen.eigenvectors() * factors.asDiagonal() * eigen.eigenvectors().adjoint());
            for (Index frame = 0; frame < frame_count; ++frame) {
                for (Index n = 0; n < box.voxel_count(); ++n) {
                    out[frame * image_size + box.voxel(n, blocks.matrix_size)] =
                        static_cast<std::complex<T>>(shrunk(n, frame));
                }
            }
            block_norms.data<double>()[block] = weight * singular.sum();
        }
    });
}

}  // namespace recon
