#pragma once

#include "app/cli/reconstruct_command_line.hpp"
#include "core/processes/process_group.hpp"

namespace recon {

/// One reconstruction, from its command line to its files.
/// @param group  of processes that do it together; null: this one is alone
/// @throws Cancelled saying what has become of the output; Error of the kind that belongs to the cause
void run_reconstruction(ReconstructCommandLine& line, ProcessGroup* group);

}  // namespace recon
