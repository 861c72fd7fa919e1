#include "core/base/cpu_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>
#include <string>

#include "core/base/available_memory.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr std::size_t cache_line_bytes = 64;
constexpr std::size_t huge_page_bytes = std::size_t{1} << 21;

}  // namespace

MemoryBudget& cpu_memory() {
    static MemoryBudget budget("cpu");
    return budget;
}

void* allocate_cpu_memory(std::size_t bytes) {
    MemoryClaim claim(cpu_memory(), bytes);
    const bool large = bytes >= 2 * huge_page_bytes;
    const std::size_t alignment = large ? huge_page_bytes : cache_line_bytes;
    // Linux promises memory that it does not have and kills the process that uses it: ask before.
    const bool too_much = large && bytes > available_memory().bytes;
    void* data = too_much ? nullptr : std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
    if (!data) {
        const AvailableMemory available = available_memory();
        throw DeviceError(
            fmt::format("cpu: {} of memory asked for, {} available ({}); reconstruct a smaller `matrix`, or use a "
                        "machine with more memory",
                        memory_text(bytes), memory_text(available.bytes), available.limited_by));
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
