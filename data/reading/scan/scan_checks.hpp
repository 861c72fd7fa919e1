#pragma once

#include <span>
#include <string>

#include "core/mri/scan.hpp"

namespace recon {

/// @throws InputError if an extent is below 1 or the image could not be held by any machine
void check_matrix_size(const PerAxis<Index>& matrix_size, const std::string& where);

/// Every frame has a trajectory of finite positions that fits its k-space, weights and times. @throws InputError
void check_trajectories(const Scan& scan);

/// Everything the computation relies on: finite, somewhere non-zero k-space; non-negative weights; maps and field map
/// on the image's matrix. K-space that is not in memory yet is checked when it is first loaded.
/// @throws InputError that says how many values are wrong and where the first one is
void check_scan(Scan& scan);

/// @param what  "coil maps". @throws InputError if a value is not finite
void check_finite(std::span<const cfloat> values, const std::string& where, const std::string& what);
void check_finite(std::span<const float> values, const std::string& where, const std::string& what);

/// [x y z coil] maps for this image. @throws InputError if their number or values do not fit
void check_coil_maps(std::span<const cfloat> coil_maps, const PerAxis<Index>& matrix_size, Index coil_count,
                     const std::string& where);

}  // namespace recon
