#pragma once

#include "app/reconstruction/scan_prior/evidence/scan_evidence.hpp"

namespace recon {

/// E^H D d, but for a factor near the image: what the first solution starts from. D is the reciprocal of the density of
/// the weighted samples, as the circulant approximation of E^H E knows it, and about the centre of k-space, where
/// readouts meet and it knows too little, Pipe and Menon's.
/// @param evidence  prepared  @return [x y z], the same on all ranks
Array first_image(const ScanEvidence& evidence);
/// The same of the data that an object makes, without noise. @param object  [x y z]
Array first_image_of(const ScanEvidence& evidence, ConstArrayView object);

}  // namespace recon
