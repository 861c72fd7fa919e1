#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/reconstruction/reconstruction.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// What `--json` and `/run` say about the reconstruction itself: devices, sums, iterations, residuals, seconds,
/// accuracy. With several frames the top level describes the first one, and `frames` all of them.
RunRecord reconstruction_record(const Team& team, const std::vector<FrameResult>& frames, const StageRecord& stages);

/// Largest resident size of this process so far.
std::size_t memory_peak_bytes();

}  // namespace recon
