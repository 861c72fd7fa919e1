#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon study trio`: Cartesian, gridded spiral, least-squares spiral.
void add_trio_command(CLI::App& study);

}  // namespace recon
