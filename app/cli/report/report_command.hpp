#pragma once

#include <CLI/CLI.hpp>

namespace recon {

/// `recon report image.h5`: the page of a run from the file that it wrote.
void add_report_command(CLI::App& app);

}  // namespace recon
