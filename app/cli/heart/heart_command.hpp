#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon heart`: waves of excitation in heart muscle. (docs/heart.md)
void add_heart_command(CLI::App& app);

}  // namespace recon
