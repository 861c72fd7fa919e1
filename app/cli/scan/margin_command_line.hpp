#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/reconstruction/options/reconstruct_options.hpp"

namespace recon {

/// Declares --margin, bound to `words`, which outlive `app`'s parse.
void add_margin_option(CLI::App& app, std::vector<std::string>& words);

/// What it asks for. Automatic: none for plain least squares, which has the model as it is given, nor beside images
/// that lie on the voxels of the field.
/// @param options  its regularisation is read  @throws UsageError for auto among numbers
MarginOptions read_margin(const std::vector<std::string>& words, const ReconstructOptions& options,
                          bool has_body_coil_image);

}  // namespace recon
