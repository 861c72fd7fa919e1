#include "app/cli/study/study_command.hpp"

#include "app/cli/study/sodium_command.hpp"
#include "app/cli/study/stone_command.hpp"
#include "app/cli/study/trio_command.hpp"

namespace recon {

void add_study_command(CLI::App& app) {
    CLI::App* study = app.add_subcommand("study", "Experiments whose truth is known: that of a paper, and others");
    study->require_subcommand(1);
    add_stone_command(*study);
    add_trio_command(*study);
    add_sodium_command(*study);
}

}  // namespace recon
