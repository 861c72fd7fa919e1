#pragma once

#include <memory>

#include "app/reconstruction/scan_prior/scan_solutions.hpp"
#include "app/reconstruction/scan_prior/spectrum_search.hpp"
#include "app/reconstruction/scan_prior/terms/sharpened_gradient.hpp"

namespace recon {

/// The prior that the passes have come to, and the error of the image with it.
struct LocalPrior {
    std::shared_ptr<const SharpenedGradient> gradient;
    std::shared_ptr<const FiniteDifferences> differences;  ///< of the last pass
    double noise_variance = 0;                             ///< sigma^2 of the data beside it
    double error_size = 0;                                 ///< |error of the image|, as passes may take it
    double hardly_seen = 0;                                ///< part_hardly_seen, under the prior of the spectrum
    double error_of_spectrum = 0;                          ///< |error of the image under that|
    int passes = 0;
    /// The first pass moved the image by more than the error that the spectrum told: the solution of one of them, or
    /// the sample of the error, was not near enough.
    bool is_beyond_error = false;
    double share = 1;  ///< of the last pass in the image; the rest is of the spectrum

    /// |error of the image|. Where the object is hardly seen no pass helps, and the sample of the spectrum is too
    /// small, as the object's own energy there is more than it is in the mean over the field of view.
    double told_error() const;
};

/// Step 4 of the default image (docs/default-image.md): the image anew with gradients of the variance v(r) that the
/// last image shows where they are. Of an image that does not let the noise be what it was a part is taken,
/// beside that of the spectrum; one that is taken whole, and is nearly right, is read once more, and again as long as
/// that moves it far.
/// @param may_start_anew  whether to end after the first pass if that is beyond the error
/// @param solutions  hold image and error of the spectrum; then the image, and error and prior of the last pass
LocalPrior find_local_prior(const ScanEvidence& evidence, const FoundSpectrum& found, bool may_start_anew,
                            ScanSolutions& solutions);

/// The prior of a pass, from here on that of the solutions: of the variance that gradients of `image` show where those
/// of its error are as those of `error`. The prior before ends first.
void begin_pass(const ScanEvidence& evidence, const FoundSpectrum& found, ConstArrayView image, ConstArrayView error,
                ScanSolutions& solutions, LocalPrior& local);

}  // namespace recon
