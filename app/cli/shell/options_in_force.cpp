#include "app/cli/shell/options_in_force.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "app/cli/shell/named_choice.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

/// A number where all of the text is one, null where there is none, else the text.
RunRecord typed(const std::string& text) {
    if (text.empty()) {
        return nullptr;
    }
    const RunRecord value = RunRecord::parse(text, nullptr, false);
    return value.is_number() ? value : RunRecord(text);
}

/// CLI11 takes # for the start of a comment, in quotes too, and has one line a value.
void require_printable(const CLI::Option& option) {
    for (const std::string& value : option.results()) {
        if (value.find_first_of("#\n\r") != std::string::npos) {
            throw UsageError(
                fmt::format("--print-config: {} {:?}: a # or the end of a line cannot be in a file of --config",
                            option.get_single_name(), value));
        }
    }
}

/// As given: names of choices, not what was made of them.
std::vector<std::string> named_results(CLI::Option& option) {
    std::vector<std::string> results = option.reduced_results();
    for (std::string& result : results) {
        result = name_of_choice(option, result);
    }
    return results;
}

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

/// Whether a flag is set: `--baseline=false` gives it, and does not set it.
bool is_set(const CLI::Option& flag) {
    const bool is_negated = flag.check_fname(flag.get_single_name());  // what it sets is its variable to false
    return flag.count() > 0 && flag.as<bool>() != is_negated;
}

/// For a shell: in quotes unless it is plain.
std::string quoted(const std::string& text) {
    const auto is_plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_-./:,=+%@").find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) {
        return text;
    }
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return result + "'";
}

}  // namespace

RunRecord options_in_force(CLI::App& app) {
    RunRecord record = RunRecord::object();
    for (CLI::Option* option : app.get_options()) {
        const std::string name = option->get_single_name();
        if (name == "help" || name == "version" || name == "config" || name == "print-config" ||
            option->get_positional()) {
            continue;
        }
        if (is_flag(*option)) {
            record[name] = is_set(*option);
            continue;
        }
        if (option->get_items_expected_min() == 0 && option->count() == 0) {  // its default stands for the bare name
            record[name] = nullptr;
            continue;
        }
        const std::vector<std::string> given =
            option->count() > 0 ? named_results(*option) : std::vector<std::string>{option->get_default_str()};
        RunRecord values = RunRecord::array();
        for (const std::string& text : given) {
            values.push_back(typed(text));
        }
        record[name] = option->get_items_expected_max() > 1 && option->count() > 0 ? values : values.at(0);
    }
    return record;
}

std::string command_text(CLI::App& app) {
    std::string text = app.get_parent() == nullptr ? "recon" : "recon " + app.get_name();
    for (CLI::Option* option : app.get_options()) {
        if (option->count() == 0 || option->get_single_name() == "config" || (is_flag(*option) && !is_set(*option))) {
            continue;
        }
        if (!option->get_positional()) {
            text += " --" + option->get_single_name();
        }
        if (!is_flag(*option)) {
            for (const std::string& value : option->results()) {
                text += " " + quoted(name_of_choice(*option, value));
            }
        }
    }
    return text;
}

std::string config_text(CLI::App& app) {
    std::string text;
    for (CLI::Option* option : app.get_options()) {
        if (option->count() > 0 && option->get_configurable()) {
            require_printable(*option);
            text += option->get_single_name() + " = " +
                    (is_flag(*option) ? is_set(*option) ? "true" : "false"
                                      : CLI::detail::ini_join(named_results(*option))) +
                    "\n";
        }
    }
    return text;
}

}  // namespace recon
