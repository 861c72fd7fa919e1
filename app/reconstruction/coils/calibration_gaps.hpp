#pragma once

#include <optional>

#include "app/reconstruction/coils/calibration_problem.hpp"

namespace recon {

/// Whether samples leave so much of the region open that its coils' images, each found alone, are aliased, but not so
/// much that the coils together could not tell what is there. A warning says where maps may be wrong even so.
bool has_gaps_to_fill(const CalibrationProblem& problem, const CalibrationSamples& samples);

/// Images of the coils in which what the samples leave open of each one alone is filled by what the coils together
/// show: in turns, maps from the images (ESPIRiT), the image rho that the samples show through them (SENSE), and from
/// S_c rho on the coils' own images again, in which the samples have the last word. After the structured low-rank
/// completion of undersampled calibrations (SAKE) [Shin 2014] and joint estimation (JSENSE) [Ying 2007]. rho is found
/// by few iterations at first and by more from turn to turn, as wrong maps amplify what they get wrong. Where the turns
/// do not come to rest, or maps of what was filled explain the samples worse than those of each coil's alone, no maps
/// explain them, and there is nothing to be filled. @return [x y z coil]
std::optional<Array> filled_images(const CalibrationProblem& problem);

/// What the maps of a turn take on the backend before they lie there.
std::size_t maps_of_a_turn_bytes(const Backend& backend, const CalibrationRegion& region, Index coil_count);

}  // namespace recon
