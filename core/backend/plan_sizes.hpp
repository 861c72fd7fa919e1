#pragma once

#include <cstddef>

#include "core/backend/plans.hpp"

namespace recon {

struct CoilMatrixSizes;

/// What a plan occupies.
struct PlanBytes {
    std::size_t held = 0;     ///< for as long as it lives, scratch that it keeps between its runs included
    std::size_t making = 0;   ///< more than that while it is made
    std::size_t running = 0;  ///< more than that during a run
};

/// What the plans of a backend will occupy, to be known before any of them is made. Upper bounds, close ones for what
/// is large. `piece_bytes` as MemoryBudget::piece_bytes; operands are the caller's and never counted.
class PlanSizes {
public:
    virtual ~PlanSizes() = default;

    /// What an upload or download of so many bytes on the host takes meanwhile if it converts their precision.
    virtual std::size_t conversion(std::size_t bytes, std::size_t piece_bytes) const = 0;
    virtual PlanBytes exact_sums(const VoxelGrid& grid, Index sample_count, Index image_count, Precision precision,
                                 std::size_t piece_bytes) const = 0;
    virtual PlanBytes gridding(const GriddingGeometry& geometry, Index sample_count, Index image_count,
                               Precision precision, std::size_t piece_bytes) const = 0;
    virtual PlanBytes padded_fft(const PerAxis<Index>& image_size, const PerAxis<Index>& grid_size,
                                 Precision precision) const = 0;
    virtual PlanBytes off_resonance_sums(const VoxelGrid& grid, Index sample_count, Index image_count,
                                         Precision precision, std::size_t piece_bytes) const = 0;
    /// @param q_precision  that of the Q handed over; the modulation is counted by whoever makes it
    /// @param plan_count  of plans for one image, the segments of off-resonance, made and run one after the other
    virtual PlanBytes toeplitz(const Shape& image_shape, Index coil_count, Precision precision, Precision q_precision,
                               std::size_t piece_bytes, Index plan_count = 1) const = 0;
    /// The same of factors on such a grid.
    virtual PlanBytes circulant(const Shape& image_shape, const PerAxis<Index>& grid_size, Precision precision,
                                std::size_t piece_bytes, Index plan_count = 1) const = 0;
    /// What ImagePrimitives::shrink_singular_values takes meanwhile.
    virtual std::size_t singular_values(Index /*frame_count*/, Index /*block_count*/) const { return 0; }
    /// What ImagePrimitives::dominant_eigenvectors takes meanwhile.
    virtual std::size_t dominant_eigenvectors(const CoilMatrixSizes& /*sizes*/, Index /*plane_count*/) const {
        return 0;
    }
};

}  // namespace recon
