#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>

namespace recon {

/// Refuses "32x" and "x32", numbers along axes of which one was not typed: CLI11 drops what is empty between two x, and
/// one number stands for a cube.
/// @param option  null, or one of any kind: only those that take numbers along axes are looked at
/// @throws UsageError
void require_no_half_size(const CLI::Option* option, const std::string& value);

/// Does so with all words of a command line.
void require_no_half_sizes(const CLI::App& app, std::span<const char* const> words);

}  // namespace recon
