#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/reconstruction/memory/memory_prediction.hpp"

namespace recon {

/// How a reconstruction will use the memory there is; decided before anything is allocated. (docs/memory.md)
struct MemoryPlan : MemoryPieces {
    std::vector<MemoryStage> stages;
    std::size_t peak_bytes = 0;
    std::string peak_stage;
    std::size_t available_bytes = 0;  ///< the limit, or what is free
    std::optional<FrameSums> sums;    ///< that the forecast is for: those of the largest frame
    std::size_t host_bytes = 0;       ///< of it: program, scan and images, where the backend's memory is the host's
    Index coil_count = 1;
    Index coils_at_once = 1;      ///< of a batch in the sums
    Index map_coils_at_once = 1;  ///< of a piece of streamed coil maps

    /// "3.10 of 8.00 GB expected at the peak (Q); coil maps streamed, 3 of 12 coils at a time"
    std::string text() const;
};

/// Everything at once if it fits; else k-space by coil batches from the host, smaller pieces, coil maps from the host:
/// in the order of what they cost. The image is the same, up to the rounding of sums in another order.
/// @param rank_count  devices that divide the work as Division does; the plan is for the largest share
/// @throws DeviceError saying what the smallest pieces need, what there is, and what to do
MemoryPlan plan_memory(const Scan& scan, const Backend& backend, const ReconstructOptions& options,
                       Index rank_count = 1);

/// Bytes of "500M", "2G", "1.5 GB" or "100000"; units of 1000, KiB, MiB and GiB of 1024, upper or lower case.
/// @param option  for messages
/// @throws UsageError for anything else, or for nothing at all
std::size_t parse_memory_size(const std::string& text, const std::string& option = "`memory_limit`");

}  // namespace recon
