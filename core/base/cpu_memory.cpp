#include "core/base/cpu_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <string>

#include "core/base/available_memory.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr std::size_t cache_line_bytes = 64;
constexpr std::size_t huge_page_bytes = std::size_t{1} << 21;
constexpr std::size_t least_kept_bytes = std::size_t{1} << 20;

/// Blocks that were released, for who asks for as much next: pages of fresh ones are filled with zeros by the system,
/// which took a seventh of an iteration's time. Together with what is in use they are never more than was in use at
/// some time before.
class ReleasedBlocks {
public:
    /// @return one of that size; null if there is none
    void* take(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        const auto found = blocks_.find(bytes);
        if (found == blocks_.end()) {
            return nullptr;
        }
        void* data = found->second;
        blocks_.erase(found);
        kept_bytes_ -= bytes;
        return data;
    }
    void keep(void* data, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        blocks_.emplace(bytes, data);
        kept_bytes_ += bytes;
    }
    /// Frees as many as in_use asks for.
    void make_room(std::size_t in_use) {
        const std::lock_guard lock(mutex_);
        highest_use_ = std::max(highest_use_, in_use);
        while (!blocks_.empty() && in_use + kept_bytes_ > highest_use_) {
            free_one();
        }
    }
    std::size_t kept_bytes() {
        const std::lock_guard lock(mutex_);
        return kept_bytes_;
    }
    void free_all() {
        const std::lock_guard lock(mutex_);
        while (!blocks_.empty()) {
            free_one();
        }
    }

private:
    void free_one() {
        const auto largest = std::prev(blocks_.end());
        kept_bytes_ -= largest->first;
        std::free(largest->second);
        blocks_.erase(largest);
    }

    std::mutex mutex_;
    std::multimap<std::size_t, void*> blocks_;
    std::size_t kept_bytes_ = 0;
    std::size_t highest_use_ = 0;
};

ReleasedBlocks& released_blocks() {
    static auto& blocks = *new ReleasedBlocks;  // outlives whatever releases memory at the end of the process
    return blocks;
}

}  // namespace

MemoryBudget& cpu_memory() {
    static MemoryBudget budget("cpu");
    return budget;
}

std::size_t kept_cpu_memory_bytes() { return released_blocks().kept_bytes(); }

std::size_t free_cpu_memory_bytes(int thread_count) {
    // Stacks, heaps and tables of each thread are in no books. Where memory is refused and nobody killed they fit
    // beside.
    constexpr std::size_t of_a_thread = 800'000;  // measured with 2 to 64
    const AvailableMemory available = available_memory();
    const std::size_t of_threads = available.kills() ? of_a_thread * static_cast<std::size_t>(thread_count) : 0;
    return available.bytes - std::min(available.bytes, of_threads) + kept_cpu_memory_bytes();
}

void* allocate_cpu_memory(std::size_t bytes) {
    MemoryClaim claim(cpu_memory(), bytes);
    if (bytes >= least_kept_bytes) {
        if (void* data = released_blocks().take(bytes)) {
            claim.keep();
            return data;
        }
        released_blocks().make_room(cpu_memory().in_use());
    }
    const bool large = bytes >= 2 * huge_page_bytes;
    const std::size_t alignment = large ? huge_page_bytes : cache_line_bytes;
    // Linux promises memory that it does not have and kills the process that uses it: ask before.
    if (large && bytes > available_memory().bytes) {
        released_blocks().free_all();
    }
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
        // Whole ones: the last, hardly used, would take 2 MB that nobody counts, for which control groups kill. A hint:
        // its failure costs only time.
        madvise(data, bytes / alignment * alignment, MADV_HUGEPAGE);
    }
    claim.keep();
    return data;
}

void release_cpu_memory(void* data, std::size_t bytes) noexcept {
    cpu_memory().give_back(bytes);
    if (bytes < least_kept_bytes) {
        std::free(data);
        return;
    }
    try {
        released_blocks().keep(data, bytes);
    } catch (const std::bad_alloc&) {
        std::free(data);
    }
}

}  // namespace recon
