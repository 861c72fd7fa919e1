#pragma once

#include "core/backend/plan_sizes.hpp"

namespace recon {

/// With as many threads as OpenMP would start at the time of asking.
class CpuPlanSizes final : public PlanSizes {
public:
    std::size_t conversion(std::size_t, std::size_t) const override { return 0; }
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
};

}  // namespace recon
