#include "core/base/registry.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace recon {
namespace {

/// Letters to insert, remove or replace, and neighbours to exchange.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1), above(row.size()), two_above(row.size());
    std::iota(row.begin(), row.end(), std::size_t{0});  // distances from the first letters of a to those of b
    for (std::size_t i = 0; i < a.size(); ++i) {
        two_above.swap(above);
        above.swap(row);
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            row[j + 1] = std::min({above[j] + (a[i] == b[j] ? 0 : 1), above[j + 1] + 1, row[j] + 1});
            if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) {
                row[j + 1] = std::min(row[j + 1], two_above[j - 1] + 1);
            }
        }
    }
    return row.back();
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

}  // namespace

std::string likely_name(std::string_view name, const std::vector<std::string>& names) {
    std::string best;
    std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
    const std::string wanted = lower_case(name);
    for (const std::string& known : names) {
        const std::string candidate = lower_case(known);
        const bool is_start = name.size() >= 3 && candidate.starts_with(wanted);
        const std::size_t distance = is_start ? 1 : edit_distance(wanted, candidate);
        if (distance < least) {
            least = distance;
            best = known;
        }
    }
    return best;
}

std::string unknown_name_text(std::string_view noun, std::string_view name, const std::vector<std::string>& names) {
    std::string text = "unknown " + std::string(noun) + " '" + std::string(name) + "'; ";
    const std::string meant = likely_name(name, names);
    text += meant.empty() ? "there are: " : "did you mean '" + meant + "'? There are: ";
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += (i > 0 ? ", " : "") + names[i];
    }
    return text;
}

}  // namespace recon
