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

/// For want of a noise scan by the noise that readouts hold beyond the field of view (noise_in_readouts), where coils
/// differ by more than chance and 5 % of the image's variance. Where that cannot be told coils that are far louder than
/// most are scaled, by the noise that each has where k-space holds little signal: of one whose gain is many times that
/// of the others, least squares would fit its own noise rather than their data. Quieter ones stay as they are: of a
/// coil that is dead, but for rounding, the map would outweigh all data.
/// @param stay_apart  as above
/// @return none where it is not needed, or cannot be told
std::optional<Prewhitening> whitening_by_kspace(Scan& scan, const CoilOptions& options, bool stay_apart);

}  // namespace recon
