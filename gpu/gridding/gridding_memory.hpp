#pragma once

#include <cstddef>

#include "core/backend/plans.hpp"
#include "core/base/memory_budget.hpp"

namespace recon {

/// What gridding takes on a device at most, whatever the trajectory, known before there is a plan.
struct GriddingMemory {
    std::size_t plan_bytes;     ///< as long as the plan lives
    std::size_t making_bytes;   ///< at the peak of making it, the plan included
    std::size_t scratch_bytes;  ///< while spreading, besides
};

/// @param piece_bytes  as MemoryBudget::piece_bytes
GriddingMemory cuda_gridding_memory(const GriddingGeometry& geometry, Index sample_count, Index batch_count,
                                    Precision precision, std::size_t piece_bytes = MemoryBudget::unlimited);

}  // namespace recon
