#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/types.hpp"

namespace recon {

/// The number that all of `text` is; none where it is anything else, or beyond the type's range.
template <class T>
std::optional<T> parse_number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// First and last of "5-7", or of "5" alone, from 0 on; none where `text` is no such range.
std::optional<std::pair<Index, Index>> parse_index_range(std::string_view text);

/// What follows "KEY=" where `text` begins so; none where it does not.
std::optional<std::string_view> value_after(std::string_view key, std::string_view text);

}  // namespace recon
