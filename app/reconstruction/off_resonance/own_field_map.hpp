#pragma once

#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Whether a field map that the scan brings along, and which nobody has named, is to be used: where it turns the phase
/// of some voxels over the samples, and can be that of every frame. Says in the log why not, with a warning where the
/// image will be blurred.
/// @param scan  with the times of its samples, if they are known
bool is_own_field_map_useful(const Scan& scan);

/// Goes on without it, as the check has found that it is not the scan's; decay is corrected all the same.
void leave_out_field_map(Scan& scan, OffResonanceOptions& options);

/// Of phase over the samples, between the extreme voxels and one without off-resonance: what all voxels have in common
/// blurs and shifts the image, too. 0 without sample times.
double turns_of_phase(const Scan& scan);

/// Below so many turns, 7 degrees, nothing would change.
constexpr double turns_of_nothing = 0.02;

}  // namespace recon
