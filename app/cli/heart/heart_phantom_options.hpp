#pragma once

#include <CLI/CLI.hpp>

#include "data/simulation/heart/heart_beat.hpp"

namespace recon {

/// Declares the options of `recon simulate` that say how the heart of its phantom beats.
void add_heart_phantom_options(CLI::App& command, HeartBeatOptions& heart);

/// @throws UsageError if one of them was given for another phantom
void require_heart_phantom(const CLI::App& command, const std::string& phantom);

}  // namespace recon
