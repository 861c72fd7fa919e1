#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// Declares all that the program can do.
void add_commands(CLI::App& app);

}  // namespace recon
