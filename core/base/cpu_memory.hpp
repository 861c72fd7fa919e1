#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/base/memory_budget.hpp"
#include "core/base/types.hpp"

namespace recon {

/// The books of the host's memory, of which a process has one.
MemoryBudget& cpu_memory();

/// Memory on a cache-line boundary; on huge pages from a few megabytes on, so that strided passes over large grids do
/// not miss the translation buffer at every row; blocks of that size that were released are used again. Booked in
/// `cpu_memory`.
/// @throws DeviceError saying how much was asked for, and what was free or the limit
void* allocate_cpu_memory(std::size_t bytes);
void release_cpu_memory(void* data, std::size_t bytes) noexcept;
/// Of blocks that were released and are kept to be used again: free for whoever asks.
std::size_t kept_cpu_memory_bytes();

/// What could be allocated now, beside what so many threads take by themselves; with blocks that are kept.
std::size_t free_cpu_memory_bytes(int thread_count);

/// Owning, move-only, uninitialised block of plain numbers for the plans of the CPU backend.
template <class T>
class CpuBuffer {
    static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>);

public:
    CpuBuffer() = default;
    explicit CpuBuffer(Index size)
        : data_(static_cast<T*>(allocate_cpu_memory(static_cast<std::size_t>(size) * sizeof(T)))), size_(size) {}
    ~CpuBuffer() {
        if (data_) {
            release_cpu_memory(data_, static_cast<std::size_t>(size_) * sizeof(T));
        }
    }
    CpuBuffer(CpuBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    CpuBuffer& operator=(CpuBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }

    T* data() const { return data_; }
    Index size() const { return size_; }
    /// Grows to `size` elements if it is smaller; the contents are lost then.
    void require(Index size) {
        if (size > size_) {
            *this = CpuBuffer();
            *this = CpuBuffer(size);
        }
    }

private:
    T* data_ = nullptr;
    Index size_ = 0;
};

}  // namespace recon
