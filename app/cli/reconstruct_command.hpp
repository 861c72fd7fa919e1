#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// The program's main job: registers its options on the application itself, and runs when no subcommand is given.
void add_reconstruct_command(CLI::App& app);

}  // namespace recon
