#include "core/base/memory_budget.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace recon {

std::size_t MemoryBudget::left() const {
    const std::size_t limit = limit_;
    const std::size_t used = in_use_;
    return limit == unlimited ? unlimited : limit - std::min(limit, used);
}

void MemoryBudget::take(std::size_t bytes) {
    std::size_t before = in_use_;
    do {
        const std::size_t limit = limit_;
        if (bytes > limit || before > limit - bytes) {
            throw DeviceError(fmt::format(
                "{}: {} of memory asked for, {} in use, the limit is {}; raise `memory_limit`, or reconstruct a "
                "smaller `matrix`",
                owner_, memory_text(bytes), memory_text(before), memory_text(limit)));
        }
    } while (!in_use_.compare_exchange_weak(before, before + bytes));
    std::size_t highest = peak_;
    while (highest < before + bytes && !peak_.compare_exchange_weak(highest, before + bytes)) {
    }
}

std::string memory_text(std::size_t bytes) {
    const auto value = static_cast<double>(bytes);
    return value >= 0.9995e9   ? fmt::format("{:.2f} GB", value / 1e9)
           : value >= 0.9995e6 ? fmt::format("{:.1f} MB", value / 1e6)
           : value >= 1e4      ? fmt::format("{:.1f} kB", value / 1e3)
                               : fmt::format("{} bytes", bytes);
}

}  // namespace recon
