#pragma once

#include "core/backend/plan_sizes.hpp"
#include "gpu/device/cuda_queue.cuh"
#include "gpu/primitives/cuda_image_primitives.cuh"

namespace recon {

/// Mirrors core/backend/cpu/cpu_plan_sizes.hpp: each function lives in the file of its plan.
class CudaPlanSizes final : public PlanSizes {
public:
    explicit CudaPlanSizes(const CudaQueue& queue) : queue_(&queue) {}

    std::size_t conversion(std::size_t bytes, std::size_t piece_bytes) const override;
    PlanBytes exact_sums(const VoxelGrid& grid, Index sample_count, Index image_count, Precision precision,
                         std::size_t piece_bytes) const override;
    PlanBytes gridding(const GriddingGeometry& geometry, Index sample_count, Index image_count, Precision precision,
                       std::size_t piece_bytes) const override;
    PlanBytes padded_fft(const PerAxis<Index>& image_size, const PerAxis<Index>& grid_size,
                         Precision precision) const override;
    PlanBytes off_resonance_sums(const VoxelGrid& grid, Index sample_count, Index image_count, Precision precision,
                                 std::size_t piece_bytes) const override;
    PlanBytes toeplitz(const Shape& image_shape, Index coil_count, Precision precision, Precision q_precision,
                       std::size_t piece_bytes, Index plan_count) const override;
    PlanBytes circulant(const Shape& image_shape, const PerAxis<Index>& grid_size, Precision precision,
                        std::size_t piece_bytes, Index plan_count) const override;
    std::size_t singular_values(Index frame_count, Index block_count) const override {
        return CudaImagePrimitives::singular_values_bytes(frame_count, block_count);
    }
    std::size_t dominant_eigenvectors(const CoilMatrixSizes& sizes, Index plane_count) const override {
        return CudaImagePrimitives::dominant_eigenvectors_bytes(sizes, plane_count);
    }

private:
    const CudaQueue* queue_;
};

}  // namespace recon
