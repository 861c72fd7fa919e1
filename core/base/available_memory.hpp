#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace recon {

/// What could still be taken of a memory, and what sets that limit.
struct AvailableMemory {
    std::size_t bytes;
    std::string limited_by;  ///< "free memory", "ulimit -v", "control group /sys/fs/cgroup/job, memory.max"

    /// Who takes more is killed, not refused.
    bool kills() const { return limited_by.starts_with("control group"); }
};

/// The control groups of this process that may limit its memory, version 1 or 2, parents included: the kernel kills
/// who takes more, however much the machine has free. (man 7 cgroups; Documentation/admin-guide/cgroup-v2.rst)
class MemoryGroups {
public:
    /// @param root  the folder that holds proc/self/cgroup, proc/self/mountinfo and the groups that these name
    explicit MemoryGroups(const std::filesystem::path& root = "/");

    /// Limit less use of the narrowest group; files in the page cache count as free, since they go first. Without any
    /// limit the largest number there is.
    AvailableMemory available() const;
    const std::vector<std::filesystem::path>& folders() const { return folders_; }

private:
    std::vector<std::filesystem::path> folders_;  ///< innermost first
};

/// What this process could take now without swapping and without being killed or refused: free memory of the machine,
/// its control groups, and its limits of address space and data (ulimit -v, -d).
AvailableMemory available_memory();

/// Before something large is taken: the kernel kills who takes more than a control group allows, without a word.
/// @param what  that is to be held there, for the message
/// @throws DeviceError with both numbers and what sets the limit. A few megabytes are always granted
void require_available_memory(std::size_t bytes, const std::string& what);

/// Before there is anything: what the least scan takes. @throws DeviceError if a control group leaves less
void require_memory_to_start();

/// What this process holds of it now: program, libraries, data.
std::size_t resident_memory_bytes();

}  // namespace recon
