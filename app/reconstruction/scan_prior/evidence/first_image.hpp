#pragma once

#include "app/reconstruction/scan_prior/evidence/scan_evidence.hpp"

namespace recon {

/// E^H D d, but for a factor near the image: what the first solution starts from. D is that of `sample_compensation`.
/// @param evidence  prepared  @return [x y z], the same on all ranks
Array first_image(const ScanEvidence& evidence);
/// The same of the data that an object makes, without noise. @param object  [x y z]
Array first_image_of(const ScanEvidence& evidence, ConstArrayView object);

}  // namespace recon
