#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/reconstruction/options/regularisation_options.hpp"

namespace recon {

/// What a user says of the terms beside the data.
struct RegularisationCommandLine {
    std::vector<std::string> priors;
    std::vector<std::string> lambdas;
    LambdaOptions lambda;
    std::string lambda_png_path;
    std::string image_path;  ///< reference of the anatomical prior
    std::string mask_path;
    double edge_scale = 3;
    bool report = true;
    std::string uncertainty = "samples=1";
    std::string uncertainty_png_path;
    Index g_factor_draws = 0;
    Index noise_sd_draws = 0;
};

/// Declares the options, bound to `line`, which outlives `app`'s parse.
void add_regularisation_options(CLI::App& app, RegularisationCommandLine& line);

/// The terms of the problem, with the images that they need. With neither a prior nor a lambda named: `scan`.
/// @throws UsageError as parse_regularisation, or if a reference is given and not used, or used and not given;
/// InputError as read_prior_images
RegularisationOptions read_regularisation(const RegularisationCommandLine& line);

}  // namespace recon
