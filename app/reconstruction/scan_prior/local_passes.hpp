#pragma once

#include <optional>

#include "app/reconstruction/scan_prior/scan_solutions.hpp"
#include "app/reconstruction/scan_prior/spectrum_search.hpp"
#include "core/mri/priors/local_variance.hpp"

namespace recon {

/// What the variance of gradients has come to, and the error of the image with it.
struct LocalPrior {
    std::optional<LocalVariance> variance;  ///< v of the last pass
    double noise_variance = 0;              ///< sigma^2 of the data beside it
    double error_size = 0;                  ///< |error of the image|
    int passes = 0;
};

/// Step 3 of the default image (docs/default-image.md): the image anew with gradients of the variance v(r) that the
/// last image shows where they are. One pass, but where the data leave much open: an image that is nearly right, and
/// lets the noise be what it was, is read once more.
/// @param solutions  hold image and error of the spectrum; then those of the last pass, whose prior they begin
LocalPrior find_local_prior(const ScanEvidence& evidence, const FoundSpectrum& found, ScanSolutions& solutions);

}  // namespace recon
