#include "core/base/host_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

namespace recon {

void provide_pages(void* begin, std::size_t bytes) {
    constexpr std::size_t page = std::size_t{2} << 20;  // the large ones
    constexpr std::size_t fewest_bytes = 8 * page;
    if (bytes < fewest_bytes) {
        return;
    }
    const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
    const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(begin) + bytes) / page * page;
    const auto at = [](std::uintptr_t address) { return reinterpret_cast<void*>(address); };
    madvise(at(first), end - first, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE  // Linux 5.14; where it fails, pages come when they are touched
    const auto pieces = static_cast<std::ptrdiff_t>((end - first) / page);
    constexpr std::ptrdiff_t at_once = 16;
#pragma omp parallel for schedule(dynamic)
    for (std::ptrdiff_t piece = 0; piece < pieces; piece += at_once) {
        madvise(at(first + static_cast<std::uintptr_t>(piece) * page),
                static_cast<std::size_t>(std::min(at_once, pieces - piece)) * page, MADV_POPULATE_WRITE);
    }
#endif
}

}  // namespace recon
