#pragma once

#include <string>

#include "core/mri/image.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// The scan as one .npz file, with the arrays that NpyReader reads; frames must share a trajectory.
/// @throws InputError if they do not
void write_npz_scan(const Scan& scan, const std::string& path);

/// complex64 [z, y, x], or [frame, z, y, x] if there are several frames.
void write_npy_image(const Image& image, const std::string& path);

}  // namespace recon
