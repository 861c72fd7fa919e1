#pragma once

#include <string>
#include <vector>

#include "core/mri/image.hpp"
#include "data/pictures/plane.hpp"

namespace recon {

/// "z, slice 33 of 64, 4.5 mm": for people, with the distance from the middle of the matrix where it is known.
std::string text_of(const Plane& plane, const Geometry& geometry);

/// An <img> of one plane of the first frame, grey from 0 to `white`, complete in itself.
/// @param values  [x y z], shown by their magnitude
/// @param width_px  of the longer side on the page
std::string picture_of(std::span<const cfloat> values, const Geometry& geometry, const Plane& plane, float white,
                       const std::string& alternative, int width_px);

/// Magnitudes of `image` times the number that fits them to those of `reference`, less these: 0 on an equal image.
std::vector<cfloat> difference(std::span<const cfloat> image, std::span<const cfloat> reference);

}  // namespace recon
