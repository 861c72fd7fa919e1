#include "core/base/threads/cpu_count.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "core/base/available_memory.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;

/// What OpenMP found in its environment, before anything here changed it.
const int threads_at_start = omp_get_max_threads();

/// "200000 100000", or "max 100000": time of all processors in a period (version 2); 0 without a limit.
double share_of_second_version(const fs::path& folder) {
    std::ifstream file(folder / "cpu.max");
    double quota = 0, period = 0;
    return file >> quota >> period && period > 0 ? quota / period : 0;
}

/// The same in files of their own (version 1): a quota of -1 is none.
double share_of_first_version(const fs::path& folder) {
    double quota = 0, period = 0;
    const bool read =
        std::ifstream(folder / "cpu.cfs_quota_us") >> quota && std::ifstream(folder / "cpu.cfs_period_us") >> period;
    return read && quota > 0 && period > 0 ? quota / period : 0;
}

}  // namespace

int cpus_of_groups(int most, const fs::path& root) {
    double least = most;
    const auto narrow = [&](double share) {
        if (share > 0) {
            least = std::min(least, share);
        }
    };
    const MemoryGroups groups(root);
    for (const fs::path& folder : groups.folders()) {  // in version 2 one folder holds all limits
        narrow(share_of_second_version(folder));
    }
    narrow(share_of_first_version(root / "sys/fs/cgroup/cpu"));  // of a container, its own
    return std::max(1, static_cast<int>(std::ceil(least)));
}

int usable_cpu_count() {
    const int processors = omp_get_num_procs();
    return threads_at_start != processors ? threads_at_start : cpus_of_groups(processors);
}

}  // namespace recon
