#pragma once

#include <CLI/CLI.hpp>
#include <set>
#include <string>

namespace recon {

/// The long options of the program and its subcommands, without their dashes.
std::set<std::string> option_names(const CLI::App& app);

/// Settings that a message names in backticks become the options that they are given by: `coil_maps` is --coil-maps.
/// What is no option stays as it is.
std::string with_options(const std::string& message, const std::set<std::string>& options);

}  // namespace recon
