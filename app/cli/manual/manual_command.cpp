#include "app/cli/manual/manual_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "app/cli/manual/completions.hpp"
#include "app/cli/manual/man_page.hpp"
#include "app/cli/manual/option_list.hpp"
#include "app/cli/shell/named_choice.hpp"
#include "core/base/error.hpp"
#include "data/files/write_bytes.hpp"

namespace recon {
namespace {

struct ManualArguments {
    std::string kind = "man";
    std::vector<std::string> command;
    std::string folder;
};

std::string page_text(const std::string& kind, const std::string& name, const ListedCommand& program) {
    if (kind == "bash") {
        return bash_completion(program);
    }
    if (kind == "zsh") {
        return zsh_completion(program);
    }
    if (kind == "fish") {
        return fish_completion(program);
    }
    return man_page(command_named(name, program), program, RECON_VERSION);
}

/// Every file of the manual, as packages hold them.
void write_all(const std::string& folder, const ListedCommand& program) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) {
        throw InputError(fmt::format("manual: cannot make the folder {}: {}", folder, failed.message()));
    }
    const auto write = [&](const std::string& name, const std::string& text) {
        write_bytes(folder + "/" + name, std::as_bytes(std::span(text)));
    };
    for (const ListedCommand* command : flattened(program)) {
        write(man_page_name(*command) + ".1", page_text("man", command->name, program));
    }
    write("recon.bash", bash_completion(program));
    write("_recon", zsh_completion(program));
    write("recon.fish", fish_completion(program));
}

}  // namespace

void add_manual_command(CLI::App& app) {
    const auto arguments = std::make_shared<ManualArguments>();
    CLI::App* command = app.add_subcommand(
        "manual",
        "Man pages, and completions for shells\n\n"
        "  recon manual man | man -l -                             the page, without an installation\n"
        "  source <(recon manual bash)                             completion for this shell; zsh and fish likewise");
    command->add_option("kind", arguments->kind, "man, bash, zsh or fish")
        ->transform(one_of({"man", "bash", "zsh", "fish"}))
        ->capture_default_str();
    command->add_option("command", arguments->command,
                        "Whose page, such as simulate or study trio (default: the program's)");
    command->add_option("--into", arguments->folder, "Write all of them into this folder instead");
    command->callback([arguments, &app] {
        const ListedCommand program = listed_command(app);
        if (arguments->folder.empty()) {
            fmt::print("{}",
                       page_text(arguments->kind, fmt::format("{}", fmt::join(arguments->command, " ")), program));
        } else {
            write_all(arguments->folder, program);
        }
    });
}

}  // namespace recon
