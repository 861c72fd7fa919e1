#include "app/cli/refusal/refused_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/manual/help_text.hpp"
#include "app/cli/manual/option_list.hpp"
#include "core/base/registry.hpp"
#include "data/files/file_identity.hpp"

namespace recon {
namespace {

/// The command that the words were meant for: the innermost that was named.
const CLI::App& command_of(const CLI::App& app) {
    const std::vector<CLI::App*> named = app.get_subcommands();
    return named.empty() ? app : command_of(*named.back());
}

/// "recon study", as a user types it.
std::string typed_name(const CLI::App& command) {
    const std::string name = name_of_command(command);
    return name.empty() ? "recon" : "recon " + name;
}

std::vector<std::string> commands_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(below->get_name());
    }
    return names;
}

std::vector<std::string> options_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& known : option->get_lnames()) {
            names.push_back("--" + known);
        }
    }
    return names;
}

std::string question(const std::string& meant) { return meant.empty() ? "" : fmt::format("; did you mean {}?", meant); }

/// The commands that have the option.
std::vector<std::string> owners_of(const std::string& option, const CLI::App& app) {
    std::vector<std::string> owners;
    const std::vector<std::string> own = options_of(app);
    if (std::ranges::find(own, option) != own.end()) {
        owners.push_back(typed_name(app));
    }
    for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) {
        const std::vector<std::string> theirs = owners_of(option, *below);
        owners.insert(owners.end(), theirs.begin(), theirs.end());
    }
    return owners;
}

/// What may have been meant by an option that the command has not.
std::string advice_on(const std::string& option, const CLI::App& command, const CLI::App& app) {
    constexpr std::size_t most = 3;
    const std::vector<std::string> names = options_of(command);
    if (!option.starts_with("--")) {  // -o
        std::vector<std::string> begin_so;
        std::ranges::copy_if(names, std::back_inserter(begin_so),
                             [&](const std::string& name) { return name.starts_with("-" + option); });
        return begin_so.empty() || begin_so.size() > most ? ""
                                                          : question(fmt::format("{}", fmt::join(begin_so, " or ")));
    }
    std::vector<std::string> owners = owners_of(option, app);
    if (owners.empty()) {
        return question(likely_name(option, names));
    }
    const bool more = owners.size() > most;
    owners.resize(std::min(owners.size(), most));
    return fmt::format("; it is an option of {}{}", fmt::join(owners, ", "), more ? ", ..." : "");
}

std::string unexpected_words(const CLI::App& command, const CLI::App& app) {
    std::vector<std::string> words = command.remaining(true);
    const auto option = std::ranges::find_if(words, [](const std::string& word) { return word.starts_with("-"); });
    if (option != words.end()) {
        const std::string name = option->substr(0, option->find('='));
        return fmt::format("not expected: {}{}", name, advice_on(name, command, app));
    }
    const CLI::Option* const file = command.get_option_no_throw("file");
    if (file == nullptr || file->results().empty()) {
        return fmt::format("not expected: {}", fmt::join(words, " "));
    }
    words.insert(words.begin(), file->results().begin(), file->results().end());
    const std::string meant = likely_name(words.front(), commands_of(command));
    if (!meant.empty()) {
        return fmt::format("{}: no command{}", words.front(), question(meant));
    }
    return fmt::format("{} takes one file, and these are {}: {}", typed_name(command), words.size(),
                       fmt::join(words, ", "));
}

/// A command of commands, without one of them.
std::string missing_command(const CLI::App& command) {
    const std::vector<std::string> names = commands_of(command);
    const std::vector<std::string> words = command.remaining(true);
    return words.empty()
               ? fmt::format("{}: expected one of its commands: {}", typed_name(command), fmt::join(names, ", "))
               : typed_name(command) + ": " + unknown_name_text("command", words.front(), names);
}

/// "--iterations" of "--iterations: 5s: expected a whole number" where it is the name of one of the command's options.
std::string named_option(const std::string& text, const CLI::App& command) {
    const std::string name = text.substr(0, text.find(": "));
    return name.size() < text.size() && command.get_option_no_throw(name) != nullptr ? name : "";
}

/// Too few values of an option, or too many.
std::string wrong_count(const std::string& text, const CLI::App& command) {
    const std::string name = named_option(text, command);
    if (name.empty()) {
        return text;
    }
    const CLI::Option& option = *command.get_option(name);
    const std::string received = text.substr(text.rfind(' ') + 1);
    return text.find("At Most") == std::string::npos
               ? fmt::format("{}: a value is missing behind it", name)
               : fmt::format("{}: given {} values, expected {}", name, received,
                             option.get_items_expected_max() == 1
                                 ? "one"
                                 : fmt::format("at most {}", option.get_items_expected_max()));
}

/// "--matrix 64,64: expected ...".
std::string wrong_value(const std::string& text, const CLI::App& command) {
    const std::string name = named_option(text, command);
    if (name.empty()) {
        return text;
    }
    const bool is_list = command.get_option(name)->get_delimiter() == 'x' && text.find(',') < text.rfind(": ");
    return name + text.substr(name.size() + 1) + (is_list ? "; axes are written as 64 48 or 64x48" : "");
}

/// @param text  "Could not convert: --matrix = 1e2"
std::string unlike_a_number(const std::string& text) {
    constexpr std::string_view before = "Could not convert: ", between = " = ";
    const std::size_t at = text.find(between);
    return !text.starts_with(before) || at == std::string::npos
               ? text
               : fmt::format("{} {}: expected digits alone", text.substr(before.size(), at - before.size()),
                             text.substr(at + between.size()));
}

/// The file of --config, which is there and cannot be read, or is not there.
Error unreadable_options(const CLI::App& app) {
    const auto path = app.get_config_ptr()->as<std::string>();
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        return missing_file(path);
    }
    return InputError(
        fmt::format("--config {}: cannot be read; expected a file with lines such as iterations = 20", path));
}

/// A line of that file, which is none of an option's.
Error wrong_line(const std::string& name, const CLI::App& app) {
    const bool is_name = std::ranges::all_of(
        name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; });
    if (!is_name) {
        return InputError(
            fmt::format("--config {}: is no file of options; expected lines such as iterations = 20, as "
                        "--print-config writes them",
                        app.get_config_ptr()->as<std::string>()));
    }
    const std::string meant = likely_name("--" + name, options_of(app));
    return UsageError(
        fmt::format("--config: no option is called {}{}", name, question(meant.empty() ? "" : meant.substr(2))));
}

/// What has to be there and is not.
std::string missing_part(const std::string& text, CLI::App& app) {
    constexpr std::string_view end = " is required";
    const CLI::App& command = command_of(app);
    if (text.starts_with("A subcommand")) {
        return missing_command(command);
    }
    if (!text.ends_with(end)) {
        return text;
    }
    const ListedCommand program = listed_command(app);
    return fmt::format("missing: {}; usage: {}", text.substr(0, text.size() - end.size()),
                       usage(command_named(name_of_command(command), program)));
}

/// @param text  "--coils excludes --coil-energy"
std::string of_two_one(const std::string& text) {
    constexpr std::string_view between = " excludes ";
    const std::size_t at = text.find(between);
    return at == std::string::npos ? text
                                   : fmt::format("{} and {} exclude each other; give one", text.substr(0, at),
                                                 text.substr(at + between.size()));
}

std::string text_for(const CLI::ParseError& error, CLI::App& app) {
    const std::string text = error.what();
    const CLI::App& command = command_of(app);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        return unexpected_words(command, app);
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        return wrong_count(text, command);
    }
    if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {
        return wrong_value(text, command);
    }
    if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
        return unlike_a_number(text);
    }
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
        return missing_part(text, app);
    }
    return dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr ? of_two_one(text) : text;
}

}  // namespace

void require_values(const CLI::App& app) {
    const CLI::App& command = command_of(app);
    const std::vector<std::string> names = options_of(command);
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& value : option->results()) {
            if (std::ranges::find(names, value) != names.end()) {
                throw UsageError(
                    fmt::format("--{}: a value is missing behind it, before {}", option->get_single_name(), value));
            }
        }
    }
}

Error refused_line(const CLI::ParseError& error, CLI::App& app) {
    constexpr std::string_view not_read = "INI was not able to parse ";  // whatever the format
    const std::string text = error.what();
    if (dynamic_cast<const CLI::FileError*>(&error) != nullptr) {
        return unreadable_options(app);
    }
    if (dynamic_cast<const CLI::ConfigError*>(&error) != nullptr && text.starts_with(not_read)) {
        return wrong_line(text.substr(not_read.size()), app);
    }
    return UsageError(
        fmt::format("{} ({} --help lists the options)", text_for(error, app), typed_name(command_of(app))));
}

}  // namespace recon
