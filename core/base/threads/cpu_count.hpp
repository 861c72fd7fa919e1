#pragma once

#include <filesystem>

namespace recon {

/// How many threads compute where nobody says how many: OMP_NUM_THREADS where it is set; else the processors that this
/// process may run on, fewer where its control groups allow it less time (docker run --cpus, Slurm, Kubernetes).
int usable_cpu_count();

/// The processors' worth of time that the control groups of a process allow, rounded up; `most` without a limit.
/// @param root  the folder that holds proc/self/cgroup, proc/self/mountinfo and the groups
int cpus_of_groups(int most, const std::filesystem::path& root = "/");

}  // namespace recon
