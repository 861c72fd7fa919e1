#pragma once

#include <CLI/CLI.hpp>

namespace recon {

void add_merge_command(CLI::App& app);

}  // namespace recon
