#pragma once

#include "core/devices/team.hpp"
#include "core/processes/process_group.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// What a process has done of a reconstruction that several have divided.
struct RankWork {
    double seconds = 0;         ///< from the first rank's start to the end, reading included
    double waited_seconds = 0;  ///< of these for other ranks, and for messages to and from them
    int thread_count = 0;
};

/// What `--json` and `/run` say of the ranks, on rank 0: its group, by number, and which
/// part of the coils it has there; host, device, times and memory of each. Every process calls
/// it. Names in the log who has worked most, where the others have waited for it.
RunRecord ranks_record(const Team& team, const RankWork& work);

}  // namespace recon
