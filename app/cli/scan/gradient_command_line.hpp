#pragma once

#include <CLI/CLI.hpp>

#include "app/reconstruction/gradients/gradient_correction.hpp"

namespace recon {

/// Declares the options, bound to `options`, which outlives `app`'s parse.
void add_gradient_options(CLI::App& app, GradientOptions& options);

}  // namespace recon
