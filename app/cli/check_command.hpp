#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon check SCAN`: is it what it says it is?
void add_check_command(CLI::App& app);

}  // namespace recon
