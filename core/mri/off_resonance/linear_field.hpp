#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// The linear part of a field map, f(r) = centre + slope . r with r in fields of view from the grid's centre. It acts
/// as a gradient that is always on.
struct LinearField {
    double centre_hz = 0;
    PerAxis<double> slope_hz{};  ///< Hz per field of view
};

/// Least squares over the measured voxels, those that are not 0; of least norm where they do not span space.
LinearField fit_linear_field(std::span<const float> map_hz, const PerAxis<Index>& matrix_size);

/// The map without it, on all voxels. @return [x y z]
std::vector<float> without(const LinearField& field, std::span<const float> map_hz, const PerAxis<Index>& matrix_size);

/// Moves the linear part from the scan's map to where the scanner's gradients are, without any change to what the scan
/// says:
///
///     exp(-i 2 pi k.r) exp(-i 2 pi f(r) t) = exp(-i 2 pi c t) exp(-i 2 pi (k + s t).r) exp(-i 2 pi (f(r) - c - s.r)
///     t),
///
/// c and s the centre and the slope: samples move to k + s t, their values turn by exp(+i 2 pi c t), and the map keeps
/// the rest. Frames that shared a trajectory go on sharing one.
/// @param map_hz  one of the scan's field maps  @param slice  whose it is; none: of all frames
/// @param scan  with sample times; calibrations without times stay as they are
void move_to_trajectory(const LinearField& field, std::span<float> map_hz, std::optional<Index> slice, Scan& scan);

}  // namespace recon
