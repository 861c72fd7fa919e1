#pragma once

#include "app/reconstruction/scan_prior/local_passes.hpp"
#include "app/reconstruction/scan_prior/scan_solutions.hpp"
#include "app/reconstruction/scan_prior/spectrum_search.hpp"
#include "core/base/named_array.hpp"

namespace recon {

/// "uncertainty/sd": the standard deviation of the image's error in each voxel, from as many samples as were asked for.
/// A sample says where the error is, the predicted error how large it is. Without a name if none was asked for.
/// @param solutions   hold the first sample  @param error_size  |error of the image|
NamedArray error_map(const ScanEvidence& evidence, const FoundSpectrum& found, ScanSolutions& solutions,
                     double error_size);

/// "uncertainty/noise_sd": by how much noise alone moves the image, which repeated scans show; from as many draws as
/// were asked for. The spectrum stays. A local prior is read off the image of each draw anew, from that of its spectrum
/// on, as edges move with the noise: a parametric bootstrap [Efron 1993, ch. 6.5], of the image and a sample of its
/// error. Without a name if no draw was asked for, or none was finished.
/// @param local      null: the prior is that of the spectrum; else its prior becomes that of the last draw
/// @param solutions  hold the image and a sample of its error; then draws
NamedArray noise_map(const ScanEvidence& evidence, FoundSpectrum& found, LocalPrior* local, ScanSolutions& solutions);

}  // namespace recon
