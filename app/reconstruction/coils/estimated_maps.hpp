#pragma once

#include "app/reconstruction/context/reconstruction_context.hpp"

namespace recon {

/// Whether maps are to be estimated from the scan that was prepared.
bool estimates_coil_maps(const Scan& scan, const CoilOptions& options);

/// For a forecast: books the estimated maps of all slices but this one, which the run will have kept by then.
void claim_estimated_maps(const ReconstructionContext& context, Index slice);

/// Estimates the maps of the frame's slice, unless they are there: on the first rank, for which the others wait; where
/// processes hold parts of the coils, on each those of its own. Every rank calls it.
void estimate_maps(const ReconstructionContext& context, const Frame& frame_in_need);

/// Where processes hold parts of the coils: gives each the maps of all, for the output, unless these are large; then
/// there are none. Every process calls it.
void gather_estimated_maps(const Scan& scan, CoilMapStore& coil_maps);

}  // namespace recon
