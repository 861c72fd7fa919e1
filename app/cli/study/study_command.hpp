#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon study NAME`: experiments on the machine at hand, those of papers and others.
void add_study_command(CLI::App& app);

}  // namespace recon
