#pragma once

#include <functional>
#include <set>
#include <string>

#include "core/processes/process_group.hpp"

namespace recon {

/// The processes have ended together, and one of them has said why.
struct EndedTogether {
    int exit_code;
};

/// Whether a launcher (mpirun, srun) has started this process as one of several.
/// @throws UsageError if srun has, in a way that they cannot find each other: each would write the same files
bool is_one_of_several();

/// Does the work with the other processes, if there are any: on those but rank 0 without a word in the log.
/// @param work  gets the group; null: it is alone
/// @param option_names  for messages that name settings
/// @throws EndedTogether if several processes have ended otherwise than well; else what the work throws
void run_with_others(const std::set<std::string>& option_names, const std::function<void(ProcessGroup*)>& work);

/// The threads of this process where nobody says how many: its share of the host's processors, the same on all ranks.
/// Says so where the launcher has bound it to fewer than that.
int threads_of_rank(ProcessGroup& group);

}  // namespace recon
