#include "app/cli/manual/help_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "app/cli/manual/help_text.hpp"
#include "app/cli/manual/option_list.hpp"

namespace recon {

void use_help_text(CLI::App& app) {
    app.formatter_fn([&app](const CLI::App* asked, const std::string&, CLI::AppFormatMode) {
        const ListedCommand program = listed_command(app);
        return help_text(command_named(name_of_command(*asked), program), help_width());
    });
}

void add_help_command(CLI::App& app) {
    const auto words = std::make_shared<std::vector<std::string>>();
    CLI::App* command = app.add_subcommand("help", "What a command does, and its options");
    command->add_option("command", *words, "Such as simulate or study stone2008; none: recon itself");
    command->callback([words, &app] {
        const ListedCommand program = listed_command(app);
        fmt::print("{}", help_text(command_named(fmt::format("{}", fmt::join(*words, " ")), program), help_width()));
    });
}

}  // namespace recon
