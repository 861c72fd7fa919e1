#include "core/base/parse_number.hpp"

namespace recon {

std::optional<std::pair<Index, Index>> parse_index_range(std::string_view text) {
    const std::size_t dash = text.find('-');
    const auto first = parse_number<Index>(text.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_number<Index>(text.substr(dash + 1));
    return first && last && *first >= 0 && *last >= *first ? std::optional(std::pair(*first, *last)) : std::nullopt;
}

std::optional<std::string_view> value_after(std::string_view key, std::string_view text) {
    const bool found = text.size() > key.size() && text.starts_with(key) && text[key.size()] == '=';
    return found ? std::optional(text.substr(key.size() + 1)) : std::nullopt;
}

}  // namespace recon
