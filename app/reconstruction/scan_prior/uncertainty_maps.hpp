#pragma once

#include "app/reconstruction/scan_prior/scan_solutions.hpp"
#include "app/reconstruction/scan_prior/spectrum_search.hpp"
#include "core/base/named_array.hpp"

namespace recon {

/// "uncertainty/sd": the standard deviation of the image's error in each voxel, from as many samples as were asked for.
/// A sample says where the error is, the predicted error how large it is. Without a name if none was asked for.
/// @param solutions   hold the first sample  @param error_size  |error of the image|
NamedArray error_map(const ScanEvidence& evidence, const FoundSpectrum& found, ScanSolutions& solutions,
                     double error_size);

/// "uncertainty/noise_sd": by how much noise alone moves the image while the prior stays where it is, which repeated
/// scans show; from as many draws as were asked for. Without a name if none was, or none was finished.
NamedArray noise_map(const ScanEvidence& evidence, const FoundSpectrum& found, ScanSolutions& solutions);

}  // namespace recon
