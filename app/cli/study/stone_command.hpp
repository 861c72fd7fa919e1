#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon study stone2008`: times and image of [Stone 2007] and [Stone 2008].
void add_stone_command(CLI::App& study);

}  // namespace recon
