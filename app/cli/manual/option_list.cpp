#include "app/cli/manual/option_list.hpp"

#include <algorithm>
#include <sstream>

#include "app/cli/shell/named_choice.hpp"

namespace recon {
namespace {

ListedOption listed_option(CLI::Option& option) {
    ListedOption listed;
    listed.positional = option.get_positional();
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
        listed.default_text = option.get_default_str();
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

std::vector<const ListedCommand*> flattened(const ListedCommand& command) {
    std::vector<const ListedCommand*> all{&command};
    for (const ListedCommand& below : command.commands) {
        const std::vector<const ListedCommand*> more = flattened(below);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

std::string short_help(const std::string& help) {
    const std::size_t end = std::min({help.find('\n'), help.find(". "), help.find(": "), help.find("; "), help.size()});
    std::string text = help.substr(0, end);
    while (text.ends_with('.') || text.ends_with(':')) {
        text.pop_back();
    }
    return text;
}

}  // namespace recon
