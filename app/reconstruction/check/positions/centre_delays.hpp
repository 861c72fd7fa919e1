#pragma once

#include <optional>

#include "core/mri/gradients/centre_out_delays.hpp"
#include "core/mri/gradients/centre_out_readouts.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Those of a frame around the centre of k-space, as many as its delays need; of length 0 where none leave it.
CentreOutReadouts readouts_from_centre(const Scan& scan, const Frame& frame);

/// Gradient delays of half-spokes, spirals and cones, or their wrong first samples (estimate_centre_out_delays). Where
/// processes hold parts of the coils each calls it.
/// @param readouts  readouts_from_centre  @param frame  of the scan, in memory
/// @return nothing where the data do not tell them
std::optional<CentreOutEstimate> delays_from_centre(const Scan& scan, const Frame& frame,
                                                    const CentreOutReadouts& readouts);

}  // namespace recon
