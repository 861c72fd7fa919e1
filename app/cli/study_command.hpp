#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon study stone2008`: the whole experiment of a paper, on the machine at hand.
void add_study_command(CLI::App& app);

}  // namespace recon
