#pragma once

#include <string>

#include "core/mri/image.hpp"
#include "core/mri/scan.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// The image that counts as right.
/// @param scan  whose image is to be judged by it
/// @throws InputError if sizes differ, or it has neither one frame nor as many as the scan
Image load_reference(const std::string& path, const Scan& scan);

/// Figures of every frame against the reference frame of its number, or the only one; also to the log.
/// @param name  of the image, for the log
RunRecord judge_by_reference(const std::string& name, const Image& image, const Image& reference);

}  // namespace recon
