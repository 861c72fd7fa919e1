#pragma once

#include <optional>
#include <vector>

#include "app/reconstruction/options/coil_options.hpp"
#include "core/mri/prewhitening.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// By the noise scan, or by a covariance that was given; none without either, or where they do not serve.
/// @param covariance  of the scan's coils; empty if none was given
/// @param stay_apart  whether coils are scaled, each by its own noise, and not mixed
std::optional<Prewhitening> whitening_of(const Scan& scan, const CoilOptions& options,
                                         const std::vector<cdouble>& covariance, bool stay_apart);

/// Coils that are far louder than most, for want of a noise scan by the noise that each has where k-space holds little
/// signal: of one whose gain is many times that of the others, least squares would fit its own noise rather than their
/// data. Quieter ones stay as they are: of a coil that is dead, but for rounding, the map would outweigh all data.
/// @return none where it does not, or cannot be told
std::optional<Prewhitening> scaling_of(Scan& scan, const CoilOptions& options);

}  // namespace recon
