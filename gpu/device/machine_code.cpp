#include "gpu/device/machine_code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace recon {

std::string text_of_built_capabilities() {
    std::vector<std::string> texts;
    for (const int capability : built_capabilities()) {
        texts.push_back(fmt::format("{}.{}", capability / 10, capability % 10));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

bool has_machine_code_for(int major, int minor) {
    return std::ranges::any_of(built_capabilities(),
                               [&](int capability) { return capability / 10 == major && capability % 10 <= minor; });
}

}  // namespace recon
