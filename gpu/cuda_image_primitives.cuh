#pragma once

#include "core/image_primitives.hpp"
#include "gpu/cuda_queue.cuh"

namespace recon {

/// Mirrors core/cpu/cpu_image_primitives.hpp.
class CudaImagePrimitives final : public ImagePrimitives {
public:
    explicit CudaImagePrimitives(const CudaQueue& queue) : queue_(&queue) {}

private:
    void do_difference(int axis, ConstArrayView x, ArrayView y) const override;
    void do_add_adjoint_difference(int axis, ConstArrayView x, ArrayView y) const override;
    void do_difference_normal(const DifferenceWeights& weights, ConstArrayView x, ArrayView z) const override;

    const CudaQueue* queue_;
};

}  // namespace recon
