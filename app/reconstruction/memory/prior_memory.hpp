#pragma once

#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/backend/plan_sizes.hpp"

namespace recon {

/// What the terms beside the data take.
struct PriorMemory {
    PlanBytes squares{};            ///< those that are squares, and the mask, on the backend
    PlanBytes penalties{};          ///< the others with their solver, beside the three images of conjugate gradients
                                    ///< and the normal product; nothing if there are none
    std::size_t host = 0;           ///< for as long as the reconstruction
    std::size_t host_of_frame = 0;  ///< for each frame that is solved for at once
};

/// @param frame_count  of frames that are solved for at once
PriorMemory prior_memory(const ReconstructOptions& options, const PerAxis<Index>& matrix_size, Index frame_count);

}  // namespace recon
