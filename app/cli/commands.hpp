#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace recon {

/// Declares all that the program can do.
void add_commands(CLI::App& app);

/// What a refused command line is told: what is wrong with it, and the option or command that was likely meant.
/// @param app  as it was when the error came
std::string explanation(const CLI::ParseError& error, const CLI::App& app);

}  // namespace recon
