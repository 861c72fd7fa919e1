#pragma once

#include <optional>
#include <string>

#include "core/mri/scan.hpp"
#include "data/formats/mrd/mrd_acquisitions.hpp"

namespace recon {

/// Where an acquisition lies in the patient; none where its directions were never set, or cannot be.
std::optional<Orientation> mrd_orientation(const MrdAcquisitions::Head& head);

/// What is wrong with the directions of a head: "read_dir and phase_dir are not at right angles"; empty if nothing is,
/// or they were never set.
std::string mistake_of_directions(const MrdAcquisitions::Head& head);

/// Whether two are the same, but for rounding in headers.
bool lie_alike(const Orientation& a, const Orientation& b);

}  // namespace recon
