#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace recon {

/// Memory on a cache-line boundary, and so on that of every register.
template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::size_t line = 64;  ///< bytes
    static constexpr std::align_val_t alignment{line};

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}

    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), alignment)); }
    void deallocate(T* data, std::size_t) noexcept { ::operator delete(data, alignment); }
    bool operator==(const CacheLineAllocator&) const = default;
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace recon
