#include "core/base/cpu_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr std::size_t cache_line_bytes = 64;
constexpr std::size_t huge_page_bytes = std::size_t{1} << 21;

}  // namespace

std::size_t available_memory_bytes() {
    std::ifstream meminfo("/proc/meminfo");
    std::string key;
    std::size_t kilobytes = 0;
    while (meminfo >> key >> kilobytes) {
        if (key == "MemAvailable:") {
            return kilobytes * 1024;
        }
        meminfo.ignore(64, '\n');
    }
    return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t resident_memory_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::size_t size_pages = 0;
    std::size_t resident_pages = 0;
    statm >> size_pages >> resident_pages;
    return resident_pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

MemoryBudget& cpu_memory() {
    static MemoryBudget budget("cpu");
    return budget;
}

void* allocate_cpu_memory(std::size_t bytes) {
    MemoryClaim claim(cpu_memory(), bytes);
    const bool large = bytes >= 2 * huge_page_bytes;
    const std::size_t alignment = large ? huge_page_bytes : cache_line_bytes;
    // Linux promises memory that it does not have and kills the process that uses it: ask before.
    const bool too_much = bytes > available_memory_bytes();
    void* data = too_much ? nullptr : std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
    if (!data) {
        throw DeviceError(
            fmt::format("cpu: {:.2f} GB of memory asked for, {:.2f} GB available; reconstruct a smaller --matrix, "
                        "or use a machine with more memory",
                        static_cast<double>(bytes) / 1e9, static_cast<double>(available_memory_bytes()) / 1e9));
    }
    if (large) {
        madvise(data, (bytes / alignment + 1) * alignment, MADV_HUGEPAGE);  // a hint: its failure costs only time
    }
    claim.keep();
    return data;
}

void release_cpu_memory(void* data, std::size_t bytes) noexcept {
    cpu_memory().give_back(bytes);
    std::free(data);
}

}  // namespace recon
