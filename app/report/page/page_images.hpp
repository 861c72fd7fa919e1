#pragma once

#include <string>

#include "app/report/page/page_contents.hpp"

namespace recon {

/// Gridding, the image and the reference beside each other in each plane, with what is between them.
std::string images_section(const PageContents& contents);

/// Standard deviation and g-factor of the voxels.
std::string uncertainty_section(const PageContents& contents);

std::string coils_section(const PageContents& contents);

/// Where in k-space the samples lie.
/// The maps of off-resonance that were corrected.
std::string off_resonance_section(const PageContents& contents);
std::string coverage_section(const PageContents& contents);

}  // namespace recon
