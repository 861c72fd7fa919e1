#pragma once

#include <optional>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Which of a probe's maps looks like which of its coils, by the magnitudes of maps taken from its k-space.
/// @return as ScanFix::order; nothing where the maps are in the coils' order already, or there is nothing to compare
std::optional<std::vector<Index>> likely_coil_order(const Scan& probe, Backend& backend);

}  // namespace recon
