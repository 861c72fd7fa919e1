#pragma once

#include <optional>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/mri/check/scan_fix.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Fixes whose factors were found rather than tried.
struct FittedFactors {
    std::vector<ScanFix> fixes;
    std::vector<double> deviations;            ///< standard deviations of the factors, by what the image leaves
    double residual_before = 1, residual = 1;  ///< |E rho - d| / |d|, weighted
    double noise_ratio = 1;                    ///< of what noise is of the data with the factors, to what it is without
};

/// The factors with which the scan is explained best, by Gauss and Newton (SharpFit).
///
/// Weights that are not those of the noise and few iterations make an error of it that noise hides; it is found by the
/// same fit of data that are simulated of its image, and taken back.
///
/// @param probe  `sharper`, with coil maps
/// @param fixes  that move samples smoothly with their factor, which is 1
/// @return nothing where there are no data, or the data do not tell the factors
std::optional<FittedFactors> fit_factors(const Scan& probe, std::vector<ScanFix> fixes, Backend& backend);

}  // namespace recon
