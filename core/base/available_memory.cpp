#include "core/base/available_memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "core/base/error.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// The number that a file of a control group holds; nothing for "max", or where there is no such file.
std::optional<std::size_t> number_in(const fs::path& file) {
    std::ifstream stream(file);
    std::size_t number = 0;
    return stream >> number ? std::optional(number) : std::nullopt;
}

/// Files in the page cache, of a group and those in it.
std::size_t cached_file_bytes(const fs::path& folder) {
    std::ifstream stat(folder / "memory.stat");
    std::string key;
    std::size_t number = 0;
    std::size_t own = 0;
    std::size_t with_children = 0;  // version 1 has both
    while (stat >> key >> number) {
        own += key == "inactive_file" || key == "active_file" ? number : 0;
        with_children += key == "total_inactive_file" || key == "total_active_file" ? number : 0;
    }
    return std::max(own, with_children);
}

/// Where a hierarchy of control groups is mounted.
struct GroupMount {
    fs::path point;
    std::string root;  ///< the group that is seen there
};

/// @param version  of control groups; of version 1 the hierarchy for memory
std::optional<GroupMount> find_mount(const fs::path& root, int version) {
    std::ifstream mounts(root / "proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        std::istringstream fields(line);
        std::string skipped;
        GroupMount mount;
        std::string point;
        fields >> skipped >> skipped >> skipped >> mount.root >> point;
        while (fields >> skipped && skipped != "-") {
        }
        std::string type;
        std::string options;
        fields >> type >> skipped >> options;
        if (type == (version == 2 ? "cgroup2" : "cgroup") &&
            (version == 2 || ("," + options + ",").find(",memory,") != std::string::npos)) {
            mount.point = root / fs::path(point).relative_path();
            return mount;
        }
    }
    return std::nullopt;
}

/// This process' group within a hierarchy, as the kernel names it; nothing if it is in none.
std::optional<std::string> find_group(const fs::path& root, int version) {
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {  // "4:memory,cpu:/name" or "0::/name"
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) {
            continue;
        }
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        if (version == 2 ? line.starts_with("0::") : controllers.find(",memory,") != std::string::npos) {
            return line.substr(second + 1);
        }
    }
    return std::nullopt;
}

AvailableMemory of_machine() {
    std::ifstream meminfo("/proc/meminfo");
    std::string key;
    std::size_t kilobytes = 0;
    while (meminfo >> key >> kilobytes) {
        if (key == "MemAvailable:") {
            return {kilobytes * 1024, "free memory"};
        }
        meminfo.ignore(64, '\n');
    }
    return {static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * page_bytes(), "free memory"};
}

/// Numbers of pages in /proc/self/statm: size, resident, shared, text, library, data.
std::array<std::size_t, 6> own_pages() {
    std::ifstream statm("/proc/self/statm");
    std::array<std::size_t, 6> pages{};
    for (std::size_t& count : pages) {
        statm >> count;
    }
    return pages;
}

AvailableMemory of_resource(int resource, const char* name, std::size_t used_bytes) {
    rlimit limit{};
    if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return {unlimited, name};
    }
    return {limit.rlim_cur - std::min<std::size_t>(limit.rlim_cur, used_bytes), name};
}

}  // namespace

MemoryGroups::MemoryGroups(const fs::path& root) {
    for (const int version : {2, 1}) {
        const auto mount = find_mount(root, version);
        const auto group = find_group(root, version);
        if (!mount || !group) {
            continue;
        }
        // In a container the mount may show the inside of a group that the kernel still names from outside.
        fs::path inside = *group;
        if (mount->root != "/") {
            inside = group->starts_with(mount->root) ? group->substr(mount->root.size()) : "";
        }
        for (fs::path level = inside.relative_path().lexically_normal(); !level.empty() && level != ".";
             level = level.parent_path()) {
            folders_.push_back(mount->point / level);
        }
        folders_.push_back(mount->point);
    }
}

AvailableMemory MemoryGroups::available() const {
    AvailableMemory least{unlimited, ""};
    for (const fs::path& folder : folders_) {
        const bool second = fs::exists(folder / "memory.current");
        const std::size_t used = number_in(folder / (second ? "memory.current" : "memory.usage_in_bytes")).value_or(0);
        const std::size_t cached = std::min(used, cached_file_bytes(folder));
        for (const char* file : {"memory.max", "memory.high", "memory.limit_in_bytes"}) {
            const auto limit = number_in(folder / file);
            const std::size_t left = limit ? *limit - std::min(*limit, used - cached) : unlimited;
            if (left < least.bytes) {
                least = {left, "control group " + folder.string() + ", " + file};
            }
        }
    }
    return least;
}

AvailableMemory available_memory() {
    static const MemoryGroups groups;  // a process is moved between groups when it starts, if ever
    const auto pages = own_pages();
    AvailableMemory least = of_machine();
    for (AvailableMemory& other :
         std::array{groups.available(), of_resource(RLIMIT_AS, "ulimit -v", pages[0] * page_bytes()),
                    of_resource(RLIMIT_DATA, "ulimit -d", pages[5] * page_bytes())}) {
        if (other.bytes < least.bytes) {
            least = std::move(other);
        }
    }
    return least;
}

void require_available_memory(std::size_t bytes, const std::string& what) {
    constexpr std::size_t memory_of_small_things = 16'000'000;  // of a control group, which kills for them as well
    constexpr std::size_t large = std::size_t{1} << 22;
    if (bytes < large) {
        return;
    }
    const AvailableMemory available = available_memory();
    const std::size_t beside = available.kills() ? memory_of_small_things : 0;
    if (bytes > available.bytes || beside > available.bytes - bytes) {
        throw DeviceError(fmt::format(
            "{} takes {:.1f} MB{}, and {:.1f} MB is free ({})", what, static_cast<double>(bytes) * 1e-6,
            available.kills() ? fmt::format(", what is not asked for some {} more", memory_of_small_things / 1'000'000)
                              : "",
            static_cast<double>(available.bytes) * 1e-6, available.limited_by));
    }
}

void require_memory_to_start() {
    constexpr std::size_t of_the_least_scan = 12'000'000;  // 10 measured, of 32 x 32 voxels and two coils
    const AvailableMemory available = available_memory();
    if (available.kills() && available.bytes < of_the_least_scan) {
        throw DeviceError(fmt::format("any scan takes {} MB of memory, and {:.1f} MB is free ({})",
                                      of_the_least_scan / 1'000'000, static_cast<double>(available.bytes) * 1e-6,
                                      available.limited_by));
    }
}

std::size_t resident_memory_bytes() { return own_pages()[1] * page_bytes(); }

}  // namespace recon
