#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace recon {

/// An option as a manual or a shell needs it.
struct ListedOption {
    std::vector<std::string> names;  ///< "-h", "--help"; of a positional its name alone
    bool positional = false;
    bool required = false;
    bool takes_several = false;        ///< values
    std::string value;                 ///< kind of its value, "TEXT"; empty: a flag
    std::vector<std::string> choices;  ///< its values, where it has but a few
    std::string default_text;
    std::string company;  ///< "with --checkpoint; not with --coils, --mask": options that it needs and excludes
    std::string group;
    std::string help;
};

/// A command with its options, in the order of --help.
struct ListedCommand {
    std::string name;  ///< "simulate"; of the program itself empty; of a command's command "study stone2008"
    std::string help;
    std::string footer;
    std::vector<ListedOption> options;
    std::vector<ListedCommand> commands;
};

/// All that `app` declares and does not hide.
ListedCommand listed_command(CLI::App& app);

/// "study stone2008"; of the program itself empty.
std::string name_of_command(const CLI::App& command);

/// @param name  as ListedCommand has it  @throws UsageError with the name that was likely meant
const ListedCommand& command_named(const std::string& name, const ListedCommand& program);

/// The command and those below it, one after the other.
std::vector<const ListedCommand*> flattened(const ListedCommand& command);

/// The first sentence of a help text, or its first line, without a full stop.
std::string short_help(const std::string& help);

}  // namespace recon
