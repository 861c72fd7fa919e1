#pragma once

#include "core/mri/kspace_excerpt.hpp"

namespace recon {

enum class FieldMapUse { none, corrected };

/// Relative error of the transforms that moves an image by at most `share` of what the noise moves it by, where samples
/// leave no gaps; in gaps an error of F^H d or Q is held by the prior alone, and this is for time segments and the sums
/// that judge images (docs/accuracy-check.md).
///
/// A transform whose relative error is e mistakes each sample by about e times its value, and what it mistakes at one
/// place of k-space stays near it: the solution treats it as it treats noise, whatever coils and prior are. A cell of
/// k-space (one cycle per field of view) holds signal of energy P and noise sigma^2 D, D cells a sample; neighbouring
/// samples average the noise, but not the error. Sums over the cells, in shells of |k|, with the gain g = P / (P +
/// sigma^2 D) that a prior would leave them:
///
///     e^2 = share^2 sum g^2 sigma^2 D / (margin^2 sum g^2 P)
///
/// What this leaves out (the error that does not stay near, the solution's amplification between the samples) is in the
/// margin, which was measured: docs/accuracy-check.md.
/// @param sigma  sqrt(E|n|^2) of one sample of one coil  @param field_map  whether segments of time correct for one
/// @return 0 where the excerpt holds nothing but noise, or the noise is 0
double tolerance_of_noise(const KspaceExcerpt& excerpt, const PerAxis<Index>& matrix_size, double sigma, double share,
                          FieldMapUse field_map = FieldMapUse::none);

}  // namespace recon
