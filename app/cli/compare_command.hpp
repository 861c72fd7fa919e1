#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon compare IMAGE REFERENCE`: figures of one image, or series, against another.
void add_compare_command(CLI::App& app);

}  // namespace recon
