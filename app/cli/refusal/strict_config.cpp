#include "app/cli/refusal/strict_config.hpp"

#include <fmt/format.h>

#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "app/cli/refusal/half_sizes.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// What CLI11 takes of a line: up to a comment, which begins with #, also in quotes.
std::string without_comment(const std::string& text) { return CLI::detail::trim_copy(text.substr(0, text.find('#'))); }

/// Goes on reading to the end of a list.
void require_end_of_list(const std::string& name, std::string text, std::istream& lines) {
    for (std::string line; text.back() != ']' && std::getline(lines, line);) {
        text += CLI::detail::trim_copy(line);
    }
    if (text.back() != ']') {
        throw UsageError(fmt::format("--config: the list of {} has no end, expected ]", name));
    }
}

void require_end_of_text(const std::string& name, const std::string& text) {
    if (text.size() < 2 || text.back() != text.front()) {
        throw UsageError(fmt::format(
            "--config: the text of {} has no end, expected {} before the end of the line (or a #, which begins a "
            "comment also in quotes)",
            name, text.front()));
    }
}

void require_whole_settings(const std::string& text) {
    static const std::regex setting(R"(^\s*([A-Za-z][\w-]*)\s*=(.*))");
    std::set<std::string> names;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (line.starts_with('[')) {  // names of a part of the file are its own
            names.clear();
        } else if (std::regex_match(line, found, setting)) {
            const std::string name = found[1], value = without_comment(found[2]);
            if (!names.insert(name).second) {
                throw UsageError(fmt::format("--config: {} is set twice, expected once", name));
            }
            if (value.starts_with('[')) {
                require_end_of_list(name, value, lines);
            } else if (value.starts_with('"') || value.starts_with('\'')) {
                require_end_of_text(name, value);
            }
        }
    }
}

}  // namespace

std::vector<CLI::ConfigItem> StrictConfig::from_config(std::istream& input) const {
    std::string text(std::istreambuf_iterator<char>(input), {});
    if (text.starts_with(byte_order_mark)) {
        text.erase(0, byte_order_mark.size());
    }
    require_whole_settings(text);
    std::istringstream again(text);
    std::vector<CLI::ConfigItem> items = CLI::ConfigTOML::from_config(again);
    // The scan of the command line goes first, whichever of its two names it and the file's have.
    for (const auto& [given, other] : {std::pair("file", "scan"), std::pair("--scan", "file")}) {
        const CLI::Option* const option = app_.get_option_no_throw(given);
        if (option != nullptr && option->count() > 0) {
            std::erase_if(items,
                          [&](const CLI::ConfigItem& item) { return item.parents.empty() && item.name == other; });
        }
    }
    for (const CLI::ConfigItem& item : items) {
        for (const std::string& value : item.inputs) {
            require_no_half_size(app_.get_option_no_throw("--" + item.name), value);
        }
    }
    return items;
}

}  // namespace recon
