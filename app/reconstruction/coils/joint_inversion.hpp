#pragma once

#include "app/reconstruction/coils/calibration_problem.hpp"
#include "core/fourier/field/trigonometric_field.hpp"

namespace recon {

struct JointlyFound {
    TrigonometricField coils;       ///< c_c anywhere in the field of view, one component each; of any scale
    CalibrationImages coil_images;  ///< c_c rho
    double unexplained = 0;         ///< |d - F c rho| / |d| of the samples by their weights
};

/// Sensitivities and the image that they see from one another's samples, where these leave the image of each coil alone
/// aliased: regularised nonlinear inversion [Uecker 2008],
///
///     min over z, e of  sum w |F (B e_c . P z) - d_c|^2 + a (|z|^2 + |e|^2),
///
/// of CoilImageProduct, by Gauss-Newton steps from a flat image and no coils, each by conjugate gradients, a halved
/// from one to the next (docs/decisions/0045-coils-and-image-together.md).
JointlyFound jointly_found(const CalibrationProblem& problem);

/// What that takes on the backend at most, besides the problem while it is used.
std::size_t joint_inversion_bytes(const Backend& backend, const PerAxis<Index>& matrix, Index coil_count,
                                  Precision precision, std::size_t piece_bytes);

}  // namespace recon
