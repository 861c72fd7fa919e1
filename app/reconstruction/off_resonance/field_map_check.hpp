#pragma once

#include "app/reconstruction/off_resonance/field_map_verdict.hpp"
#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Compares the field map with its opposite, with none, and with what it would be in rad/s: eight iterations of density
/// weighted least squares in Toeplitz form at low resolution, with the first frame's strongest coils (eight, of volumes
/// four) and maps estimated from their centre of k-space. What belongs to the scan explains its data best; where
/// readouts begin at the centre of k-space, its image is the sharpest as well. (Where they cross it midway, a wrong
/// sign distorts, and may concentrate the image.)
///
/// The resolution is the lowest, down to 32 voxels an axis, whose samples still see two turns of phase between the
/// frequencies of the map: centre-out readouts see the centre of k-space too early to tell signs apart. Not above 2^17
/// voxels, whatever they see.
/// A constant added to sample times changes the phase of the image alone, and cannot be seen here.
/// @param scan  with field map and sample times
/// @throws DeviceError if there is too little memory
FieldMapVerdict check_field_map(const Scan& scan, Backend& backend);

}  // namespace recon
