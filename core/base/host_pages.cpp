#include "core/base/host_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace recon {
namespace {

constexpr std::size_t page = std::size_t{2} << 20;  // the large ones

/// The whole pages of some memory; none of little.
std::span<std::byte> whole_pages(void* begin, std::size_t bytes) {
    constexpr std::size_t fewest_bytes = 8 * page;
    if (bytes < fewest_bytes) {
        return {};
    }
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(begin), end = (address + bytes) / page * page;
    const std::uintptr_t before = (page - address % page) % page;
    return {static_cast<std::byte*>(begin) + before, end - address - before};
}

}  // namespace

void give_back_pages(void* begin, std::size_t bytes) {
    if (const std::span<std::byte> pages = whole_pages(begin, bytes); !pages.empty()) {
        madvise(pages.data(), pages.size(), MADV_DONTNEED);
    }
}

void provide_pages(void* begin, std::size_t bytes) {
    const std::span<std::byte> pages = whole_pages(begin, bytes);
    if (pages.empty()) {
        return;
    }
    auto* const first = pages.data();
    const std::size_t length = pages.size();
    madvise(first, length, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE  // Linux 5.14; where it fails, pages come when they are touched
    const auto pieces = static_cast<std::ptrdiff_t>(length / page);
    constexpr std::ptrdiff_t at_once = 16;
#pragma omp parallel for schedule(dynamic)
    for (std::ptrdiff_t piece = 0; piece < pieces; piece += at_once) {
        madvise(first + static_cast<std::size_t>(piece) * page,
                static_cast<std::size_t>(std::min(at_once, pieces - piece)) * page, MADV_POPULATE_WRITE);
    }
#endif
}

}  // namespace recon
