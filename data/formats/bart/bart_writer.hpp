#pragma once

#include <string>

#include "core/mri/image.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// K-space as NAME.cfl [1, samples, readouts, coils], its positions as NAME-trajectory.cfl [3, samples, readouts] in
/// cycles per field of view, and coil maps, if the scan has them, as NAME-coil-maps.cfl [x, y, z, coils]; frames as
/// `bart_frame_order` has them. K-space is divided by the square root of the number of voxels, which makes the scale of
/// BART's images ours.
/// @throws InputError if frames have different numbers of samples
void write_bart_scan(const Scan& scan, const std::string& path);

/// [x, y, z], frames as `bart_frame_order` has them; complex, not scaled.
void write_bart_image(const Image& image, const std::string& path);

}  // namespace recon
