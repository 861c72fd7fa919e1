#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon study sodium`: a map of the concentration of sodium.
void add_sodium_command(CLI::App& study);

}  // namespace recon
