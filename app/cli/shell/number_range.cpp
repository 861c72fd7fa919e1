#include "app/cli/shell/number_range.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>
#include <thread>

namespace recon {
namespace {

/// The number that all of the text is, "nan" and "inf" included.
std::optional<double> number_of(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return !text.empty() && end == text.c_str() + text.size() ? std::optional(value) : std::nullopt;
}

/// @param expected  "a number from 0 to 1"
CLI::Validator range(const std::string& expected, const std::function<bool(double)>& holds) {
    return {[expected, holds](std::string& text) {
                const std::optional<double> value = number_of(text);
                return value && holds(*value) ? std::string() : fmt::format("{}: expected {}", text, expected);
            },
            "", "range"};  // the help need not repeat it
}

}  // namespace

CLI::Validator number_from(double least, double most) {
    return range(fmt::format("a number from {:g} to {:g}", least, most),
                 [=](double value) { return value >= least && value <= most; });
}

CLI::Validator number_or(const CLI::Validator& number, const std::vector<std::string>& words) {
    return {[=](std::string& text) {
                const bool is_word = std::ranges::find(words, text) != words.end();
                const std::string complaint = is_word ? std::string() : number(text);
                return complaint.empty() ? complaint : fmt::format("{}, or {}", complaint, fmt::join(words, " or "));
            },
            "", "range"};
}

CLI::Validator number_above(double limit, double most) {
    return range(fmt::format("a number above {:g}, up to {:g}", limit, most),
                 [=](double value) { return value > limit && value <= most; });
}

CLI::Validator number_above_or_infinite(double limit, double most) {
    return range(fmt::format("a number above {:g}, up to {:g}, or inf", limit, most),
                 [=](double value) { return value > limit && (value <= most || std::isinf(value)); });
}

CLI::Validator whole_number(double least, double most) {
    return range(fmt::format("a whole number from {:.0f} to {:.0f}", least, most),
                 [=](double value) { return value >= least && value <= most && value == std::floor(value); });
}

CLI::Validator threads() {
    constexpr unsigned always = 64, to_a_core = 4;  // more wait for each other, for minutes
    return whole_number(1, std::max(always, to_a_core * std::thread::hardware_concurrency()));
}

CLI::Validator seeds() { return whole_number(0, 9007199254740992.0); }  // 2^53

}  // namespace recon
