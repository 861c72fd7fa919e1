#include "app/cli/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/cli/bench/bench_command.hpp"
#include "app/cli/check_command.hpp"
#include "app/cli/compare_command.hpp"
#include "app/cli/heart/heart_command.hpp"
#include "app/cli/ladder_command.hpp"
#include "app/cli/manual/help_command.hpp"
#include "app/cli/manual/manual_command.hpp"
#include "app/cli/manual/option_list.hpp"
#include "app/cli/merge/merge_command.hpp"
#include "app/cli/parboil_command.hpp"
#include "app/cli/reconstruct_command.hpp"
#include "app/cli/report/report_command.hpp"
#include "app/cli/scan/info_command.hpp"
#include "app/cli/simulate_command.hpp"
#include "app/cli/study/study_command.hpp"
#include "core/base/registry.hpp"

namespace recon {
namespace {

/// The command that the words were meant for: the innermost that was named.
const CLI::App& command_of(const CLI::App& app) {
    const std::vector<CLI::App*> named = app.get_subcommands();
    return named.empty() ? app : command_of(*named.back());
}

/// Where the word is an option, or the name of a command, that is nearly one.
std::string likely_meant(const std::string& word, const CLI::App& command) {
    std::vector<std::string> names;
    const std::string name = word.substr(0, word.find('='));
    if (name.starts_with("-")) {
        for (const CLI::Option* option : command.get_options()) {
            for (const std::string& known : option->get_lnames()) {
                names.push_back("--" + known);
            }
        }
    } else {
        for (const CLI::App* known : command.get_subcommands([](const CLI::App*) { return true; })) {
            names.push_back(known->get_name());
        }
    }
    return likely_name(name, names);
}

}  // namespace

void add_commands(CLI::App& app) {
    use_help_text(app);
    add_reconstruct_command(app);
    add_info_command(app);
    add_check_command(app);
    add_simulate_command(app);
    add_compare_command(app);
    add_merge_command(app);
    add_heart_command(app);
    add_report_command(app);
    add_ladder_command(app);
    add_parboil_commands(app);
    add_study_command(app);
    add_bench_command(app);
    add_manual_command(app);
    add_help_command(app);
}

std::string explanation(const CLI::ParseError& error, const CLI::App& app) {
    std::string text = error.what();
    constexpr std::string_view not_read = "INI was not able to parse ";  // whatever the format
    if (dynamic_cast<const CLI::ConfigError*>(&error) != nullptr && text.starts_with(not_read)) {
        const std::string name = text.substr(not_read.size());
        const std::string meant = likely_meant("--" + name, command_of(app));
        text = fmt::format("--config: no option is called {}{}", name,
                           meant.empty() ? "" : fmt::format("; did you mean {}?", meant.substr(2)));
    }
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        const CLI::App& command = command_of(app);
        std::vector<std::string> words = command.remaining(true);
        const bool is_option =
            std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("-"); });
        const CLI::Option* file = command.get_option_no_throw("file");
        if (file != nullptr && !is_option) {  // the first word, where a command was meant
            words.insert(words.begin(), file->results().begin(), file->results().end());
        }
        text = fmt::format("not expected: {}", fmt::join(words, " "));
        for (std::size_t i = 0; i < words.size(); ++i) {
            const bool is_value = i > 0 && !words[i].starts_with("-");
            const std::string meant = is_value ? "" : likely_meant(words[i], command);
            if (!meant.empty()) {
                text += fmt::format("; did you mean {}?", meant);
                break;
            }
        }
    }
    const std::string name = name_of_command(command_of(app));
    return fmt::format("{} (recon{}{} --help lists the options)", text, name.empty() ? "" : " ", name);
}

}  // namespace recon
