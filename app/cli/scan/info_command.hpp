#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon info FILE`: what is in any readable file.
void add_info_command(CLI::App& app);

}  // namespace recon
