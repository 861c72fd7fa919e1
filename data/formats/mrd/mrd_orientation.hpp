#pragma once

#include <optional>

#include "core/mri/scan.hpp"
#include "data/formats/mrd/mrd_acquisitions.hpp"

namespace recon {

/// Where an acquisition lies in the patient; none where its directions were never set.
std::optional<Orientation> mrd_orientation(const MrdAcquisitions::Head& head);

/// Whether two are the same, but for rounding in headers.
bool lie_alike(const Orientation& a, const Orientation& b);

}  // namespace recon
