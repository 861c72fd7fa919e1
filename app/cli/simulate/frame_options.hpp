#pragma once

#include <CLI/CLI.hpp>

#include "app/cli/simulate/simulate_command_line.hpp"

namespace recon {

/// Declares the options of scans of several frames, repetitions, phases and slices, after those of the object.
void add_frame_options(CLI::App& command, SimulateArguments& arguments);

}  // namespace recon
