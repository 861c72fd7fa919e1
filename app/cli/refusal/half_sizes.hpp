#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>

namespace recon {

/// Refuses "32x" and "x32", numbers along axes of which one was not typed: CLI11 drops what is empty between two x, and
/// one number stands for a cube.
/// @param name  of what has the value, for the message
/// @throws UsageError
void require_no_half_size(const std::string& name, const std::string& value);

/// Does so with the words after options that take numbers along axes.
void require_no_half_sizes(const CLI::App& app, std::span<const char* const> words);

}  // namespace recon
