#pragma once

#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Gives the linear part of the field map that is to be corrected to the trajectory (move_to_trajectory), where what is
/// left of the map then spans less: the image is the same, fewer time segments do, Q holds most of the normal operator,
/// and the centre of k-space is where it was measured. With box voxels the field's slope inside of each is in the model
/// from then on, as their transform is taken where the samples lie. Says so in the log.
void encode_linear_part(Scan& scan, const OffResonanceOptions& options);

}  // namespace recon
