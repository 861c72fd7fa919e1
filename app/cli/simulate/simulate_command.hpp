#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon simulate`: writes a scan of a phantom whose k-space is known exactly, and the image it should give.
void add_simulate_command(CLI::App& app);

}  // namespace recon
