#include "core/mri/check/check_finding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace recon {

std::string name_of(CheckVerdict verdict) {
    switch (verdict) {
        case CheckVerdict::fine: return "fine";
        case CheckVerdict::doubtful: return "doubtful";
        case CheckVerdict::unusable: return "unusable";
    }
    return "";
}

CheckVerdict verdict_of(const std::vector<CheckFinding>& findings) {
    const bool doubt = std::any_of(findings.begin(), findings.end(),
                                   [](const CheckFinding& finding) { return finding.kind != "cannot_tell"; });
    return doubt ? CheckVerdict::doubtful : CheckVerdict::fine;
}

std::string numbered(const std::string& what, const std::vector<Index>& numbers) {
    constexpr std::size_t most_named = 8;
    const std::size_t named = std::min(numbers.size(), most_named);
    std::string text =
        fmt::format("{}{} {}", what, numbers.size() == 1 ? "" : "s",
                    fmt::join(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(named), ", "));
    if (named < numbers.size()) {
        text += fmt::format(" and {} more", numbers.size() - named);
    }
    return text;
}

}  // namespace recon
