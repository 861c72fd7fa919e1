#include "app/cli/shell/number_range.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>
#include <thread>

namespace recon {
namespace {

/// The decimal number that all of the text is, "nan" and "inf" included.
std::optional<double> number_of(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool is_hexadecimal = text.find_first_of("xX") != std::string::npos;
    return !text.empty() && end == text.c_str() + text.size() && !is_hexadecimal ? std::optional(value) : std::nullopt;
}

/// "010" is ten, where C takes it for eight.
void remove_leading_zeros(std::string& text) {
    const std::size_t first = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    const auto is_digit = [&](std::size_t at) {
        return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    while (text[first] == '0' && is_digit(first + 1)) {
        text.erase(first, 1);
    }
}

/// @param expected  "a number from 0 to 1"
CLI::Validator range(const std::string& expected, const std::function<bool(double)>& holds) {
    return {[expected, holds](std::string& text) {
                const std::optional<double> value = number_of(text);
                if (!value || !holds(*value)) {
                    return fmt::format("{}: expected {}", text, expected);
                }
                remove_leading_zeros(text);
                return std::string();
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
