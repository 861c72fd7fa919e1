#pragma once

#include "app/reconstruction/scan_prior/scan_solutions.hpp"

namespace recon {

/// The part of the error's energy in the object where the data say far less than where most of it is, as far from a
/// surface coil:
///
///     sum_r u e / sum_r e,    u = (e / (2 E))^8 / (1 + (e / (2 E))^8) . s^2 / (s^2 + (0.05 S)^2),
///
/// e and s the energies of a sample of the error and of the image around a voxel, E and S theirs in the mean over the
/// image's energy. Next to nothing where the coils see all of the object about as well.
/// @param solutions  hold the image and the sample of its error under the prior of the spectrum
double part_hardly_seen(const ScanEvidence& evidence, const ScanSolutions& solutions);

}  // namespace recon
