#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon ladder`: the optimisation steps of the case study, measured one after the other. (docs/case-study.md)
void add_ladder_command(CLI::App& app);

}  // namespace recon
