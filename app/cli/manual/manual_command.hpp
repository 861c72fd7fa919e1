#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon manual`: man pages and completions of shells, made of the options that the program has.
void add_manual_command(CLI::App& app);

}  // namespace recon
