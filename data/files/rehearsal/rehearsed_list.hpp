#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "data/files/rehearsal/rehearsal.hpp"

namespace recon {

/// Numbers that a process of its own has read (rehearse): what a library has done there once need not be done here.
/// Where nothing is rehearsed, this process reads them.
/// @param fill  serial, writes all of what it is given, zeros before, and has no other effect
/// @throws as `rehearse` and `fill`
template <class T, class Fill>
std::vector<T> rehearsed_list(const std::string& path, std::size_t count, const Fill& fill) {
    static_assert(std::is_trivially_copyable_v<T>);
    struct Shared {
        explicit Shared(std::size_t size)
            : bytes(size), memory(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {}
        ~Shared() {
            if (memory != MAP_FAILED) {
                munmap(memory, bytes);
            }
        }
        std::size_t bytes;
        void* memory;
    };
    const Shared shared(alignof(std::max_align_t) + count * sizeof(T));  // whether it was filled, and the numbers
    if (shared.memory == MAP_FAILED) {
        throw DeviceError(path + ": no memory for " + std::to_string(shared.bytes) + " bytes");
    }
    auto& is_filled = *static_cast<bool*>(shared.memory);
    T* const first = reinterpret_cast<T*>(static_cast<std::byte*>(shared.memory) + alignof(std::max_align_t));
    const std::span<T> list(first, count);
    rehearse(path, [&] {
        fill(list);
        is_filled = true;
    });
    if (!is_filled) {
        fill(list);
    }
    return {list.begin(), list.end()};
}

}  // namespace recon
