#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/reconstruction/context/frame_sums.hpp"
#include "core/base/memory_budget.hpp"
#include "core/base/types.hpp"
#include "core/operators/kspace_batches.hpp"

namespace recon {

/// How a reconstruction is divided into pieces.
struct MemoryPieces {
    std::size_t piece_bytes = MemoryBudget::unlimited;  ///< as MemoryBudget::piece_bytes
    Residency kspace = Residency::resident;
    Residency coil_maps = Residency::resident;
};

/// How a reconstruction will use the memory there is; decided before anything is allocated. (docs/memory.md)
struct MemoryPlan : MemoryPieces {
    std::size_t peak_bytes = 0;
    std::string peak_stage;           ///< name of the Stage
    std::size_t available_bytes = 0;  ///< the limit, or what is free
    std::optional<FrameSums> sums;    ///< that the forecast is for: those of the largest frame
    std::size_t host_bytes = 0;       ///< of it: program, scan and images, where the backend's memory is the host's
    Index coil_count = 1;
    Index coils_at_once = 1;      ///< of a batch in the sums
    Index map_coils_at_once = 1;  ///< of a piece of streamed coil maps

    /// "3.10 of 8.00 GB expected at the peak (Q); coil maps streamed, 3 of 12 coils at a time"
    std::string text() const;
};

}  // namespace recon
