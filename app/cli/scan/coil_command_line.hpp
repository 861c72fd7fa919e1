#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/reconstruction/options/coil_options.hpp"

namespace recon {

/// Declares what a user says of the coils, bound to what outlives `app`'s parse.
/// @param coil_maps, body_coil_path  as of read_coil_inputs (app/reconstruction/coils/coil_inputs.hpp)
void add_coil_options(CLI::App& app, std::string& coil_maps, std::string& body_coil_path, CoilOptions& options);

}  // namespace recon
