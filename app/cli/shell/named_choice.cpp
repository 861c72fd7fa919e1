#include "app/cli/shell/named_choice.hpp"

#include <fmt/format.h>

#include "core/base/registry.hpp"

namespace recon {

std::string wrong_choice(const std::string& value, const std::vector<std::string>& names) {
    std::string text = value + ": expected ";
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i];
    }
    const std::string meant = likely_name(value, names);
    return meant.empty() ? text : fmt::format("{}; did you mean {}?", text, meant);
}

}  // namespace recon
