#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// --help of the program and of the commands that are added after this prints help_text.
void use_help_text(CLI::App& app);

/// `recon help COMMAND`.
void add_help_command(CLI::App& app);

}  // namespace recon
