#pragma once

#include <string>

#include "core/mri/gradients/impulse_response.hpp"

namespace recon {

/// A gradient impulse response from an array of any format that has arrays: [tap, 4] with columns time in s, x, y, z,
/// or [tap, 10] with time and the nine of the matrix, row by row (xx, xy, xz, yx, ...).
/// @param name  FILE or FILE:/dataset. @throws InputError for another shape, times that are not in order, or weights of
/// an axis on itself that are far from 1 in sum
GradientImpulseResponse read_impulse_response(const std::string& name);

}  // namespace recon
