#pragma once

#include <span>

#include "core/mri/coils/espirit.hpp"

namespace recon {

/// Coil maps by adaptive combination [Walsh 2000]: at every voxel the dominant eigenvector of the covariance of the
/// coils' low-resolution images around it. No matrices beyond coils by coils: quick, but blind to what noise does, and
/// nowhere cropped. Phases relative to the principal component.
/// @return [x y z coil], of unit root-sum-of-squares wherever there is any signal
/// @param coils  whose maps are wanted; none: all  @throws InputError if calibration k-space is zero
std::vector<cfloat> walsh_maps(Backend& backend, const CalibrationKspace& calibration,
                               const PerAxis<Index>& matrix_size, const std::optional<Share>& coils = {});

/// What the maps of `stored_count` coils take on the backend meanwhile.
std::size_t walsh_backend_bytes(const Backend& backend, const CalibrationRegion& region, Index coil_count,
                                const PerAxis<Index>& matrix_size, Index stored_count);

/// Absolute sensitivities with an image of the body coil as reference [Pruessmann 1999]: with * a smoothing,
///
///     S_c = (m_c conj(b))* / (|b|^2)*,
///
/// both images at the resolution of the calibration region; 0 where the body coil sees nothing. The image then has the
/// scale and the phase of the body coil's.
/// @param body_coil_image  [x y z], scaled like k-space: its unscaled Fourier sum is what the body coil would measure
/// @param coils  whose maps are wanted; none: all  @return [x y z coil]  @throws InputError if the image is zero
std::vector<cfloat> body_coil_maps(const CalibrationKspace& calibration, std::span<const cfloat> body_coil_image,
                                   const PerAxis<Index>& matrix_size, const std::optional<Share>& coils = {});

}  // namespace recon
