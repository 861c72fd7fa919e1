#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon q` and `recon fhd`: the two sums of Parboil's mri-q and mri-fhd, on their files.
void add_parboil_commands(CLI::App& app);

}  // namespace recon
