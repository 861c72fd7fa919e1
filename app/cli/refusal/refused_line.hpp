#pragma once

#include <CLI/CLI.hpp>

#include "core/base/error.hpp"

namespace recon {

/// What a refused command line is told: what is wrong with it, and the option or command that was likely meant.
/// @param app  as it was when the error came
/// @return a usage error; an input error where the file of --config cannot be used
Error refused_line(const CLI::ParseError& error, CLI::App& app);

/// That no option has taken another option for its value: `--out --quiet` would write a file of that name.
/// @throws UsageError
void require_values(const CLI::App& app);

}  // namespace recon
