#include "app/cli/manual/option_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "app/cli/shell/named_choice.hpp"
#include "core/base/error.hpp"
#include "core/base/registry.hpp"

namespace recon {
namespace {

/// "not with --coils, --mask", in the order of the alphabet.
std::string listed_names(const std::string& before, const std::set<CLI::Option*>& options) {
    std::set<std::string> names;
    for (const CLI::Option* option : options) {
        names.insert("--" + option->get_single_name());
    }
    return names.empty() ? "" : fmt::format("{} {}", before, fmt::join(names, ", "));
}

std::string company_of(const CLI::Option& option) {
    const std::string needed = listed_names("with", option.get_needs());
    const std::string excluded = listed_names("not with", option.get_excludes());
    return needed + (needed.empty() || excluded.empty() ? "" : "; ") + excluded;
}

ListedOption listed_option(CLI::Option& option) {
    ListedOption listed;
    listed.positional = option.get_positional();
    listed.required = option.get_required();
    listed.company = company_of(option);
    if (listed.positional) {
        listed.names = {option.get_name(true)};
    }
    for (const std::string& name : option.get_snames()) {
        listed.names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
        listed.names.push_back("--" + name);
    }
    listed.choices = choices_of(option);
    if (option.get_items_expected_max() > 0) {
        const std::string type = option.get_type_name();
        listed.value = type.substr(0, type.find(':'));
        listed.value = listed.value == "ENUM" ? "NAME" : listed.value == "UINT" ? "INT" : listed.value;
        const bool may_stand_alone = option.get_items_expected_min() == 0;  // its default is that of the bare name
        listed.default_text = may_stand_alone ? "" : option.get_default_str();
        if (listed.default_text.starts_with("[")) {  // a list
            listed.default_text = listed.default_text.substr(1, listed.default_text.size() - 2);
        }
        listed.takes_several = option.get_items_expected_max() > 1;
    }
    listed.group = option.get_group();
    listed.help = option.get_description();
    return listed;
}

ListedCommand listed(CLI::App& app, const std::string& name) {
    ListedCommand command;
    command.name = name;
    command.help = app.get_description();
    command.footer = app.get_footer();
    for (CLI::Option* option : app.get_options([](CLI::Option*) { return true; })) {
        if (!option->get_group().empty()) {
            command.options.push_back(listed_option(*option));
        }
    }
    for (CLI::App* below : app.get_subcommands([](CLI::App*) { return true; })) {
        if (!below->get_group().empty()) {
            command.commands.push_back(listed(*below, name + (name.empty() ? "" : " ") + below->get_name()));
        }
    }
    return command;
}

}  // namespace

ListedCommand listed_command(CLI::App& app) { return listed(app, ""); }

std::string name_of_command(const CLI::App& command) {
    const CLI::App* const parent = command.get_parent();
    if (parent == nullptr) {
        return "";
    }
    const std::string above = name_of_command(*parent);
    return above + (above.empty() ? "" : " ") + command.get_name();
}

const ListedCommand& command_named(const std::string& name, const ListedCommand& program) {
    std::vector<std::string> names;
    for (const ListedCommand* command : flattened(program)) {
        if (command->name == name) {
            return *command;
        }
        if (!command->name.empty()) {
            names.push_back(command->name);
        }
    }
    throw UsageError(unknown_name_text("command", name, names));
}

std::vector<const ListedCommand*> flattened(const ListedCommand& command) {
    std::vector<const ListedCommand*> all{&command};
    for (const ListedCommand& below : command.commands) {
        const std::vector<const ListedCommand*> more = flattened(below);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

std::string short_help(const std::string& help) {
    const std::size_t end = std::min(
        {help.find('\n'), help.find(". "), help.find(": "), help.find("; "), help.find(" (default: "), help.size()});
    std::string text = help.substr(0, end);
    while (text.ends_with('.') || text.ends_with(':')) {
        text.pop_back();
    }
    return text;
}

}  // namespace recon
