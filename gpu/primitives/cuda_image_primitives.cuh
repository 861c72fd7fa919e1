#pragma once

#include "core/backend/image_primitives.hpp"
#include "gpu/device/cuda_queue.cuh"

namespace recon {

struct CoilMatrixSizes;

/// Mirrors core/backend/cpu/cpu_image_primitives.hpp.
class CudaImagePrimitives final : public ImagePrimitives {
public:
    explicit CudaImagePrimitives(CudaQueue& queue) : queue_(&queue) {}

    /// What shrink_singular_values takes meanwhile.
    static std::size_t singular_values_bytes(Index frame_count, Index block_count);
    /// What dominant_eigenvectors takes meanwhile.
    static std::size_t dominant_eigenvectors_bytes(const CoilMatrixSizes& sizes, Index plane_count);

private:
    void do_difference(int axis, ConstArrayView x, ArrayView y) const override;
    void do_add_adjoint_difference(int axis, ConstArrayView x, ArrayView y) const override;
    void do_difference_normal(const DifferenceWeights& weights, ConstArrayView x, ArrayView z) const override;
    void do_pick(const PerAxis<std::vector<Index>>& places, ConstArrayView x, ArrayView y) const override;
    void do_smooth(int axis, std::span<const double> weights, ConstArrayView x, ArrayView y) const override;
    void do_joint_magnitudes(ConstArrayView z, ArrayView m) const override;
    void do_soft_threshold(double threshold, Index joint_count, ArrayView z) const override;
    void do_wavelet_step(const WaveletStep& step, ConstArrayView x, ArrayView y) const override;
    void do_shrink_singular_values(double threshold, const BlockGrid& blocks, ConstArrayView x, ArrayView y,
                                   ArrayView block_norms) const override;
    void do_dominant_eigenvectors(const CoilMatrices& matrices, Index first_coil, Index first_plane, ArrayView vectors,
                                  ArrayView found) const override;

    CudaQueue* queue_;
};

}  // namespace recon
