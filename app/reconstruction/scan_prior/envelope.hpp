#pragma once

#include "app/reconstruction/scan_prior/scan_solutions.hpp"
#include "app/reconstruction/scan_prior/spectrum_search.hpp"

namespace recon {

/// Step 3 of the default image (docs/default-image.md): the object is not everywhere in the field of
/// view, and its energy is where it is. With the envelope m(r), m^2 what image and error of the spectrum hold around r,
/// smoothed over a few voxels, even inside of it, and 1 in the mean,
///
///     |E rho - d|^2 / sigma^2  +  sum_k |DFT(rho / m)(k)|^2 / P(|k|)
///
/// is solved from them, P no further below the noise than where nothing of the data is left anyway. Stays with them
/// where they are nearly right, where the object fills the field, and where that image does not let the noise be what
/// it was.
/// @param found      its balance becomes that of the image
/// @param solutions  hold image, error and prior of the spectrum
void find_envelope(const ScanEvidence& evidence, FoundSpectrum& found, ScanSolutions& solutions);

}  // namespace recon
