#pragma once

#include "app/reconstruction/coils/calibration_problem.hpp"

namespace recon {

/// Whether samples leave so many points of the region out that its coils' images, each found alone, are aliased, but
/// not so many that the coils together could not tell what is there.
bool has_gaps_to_fill(const CalibrationSamples& samples);

/// Fills what the samples leave out of the coils' images, each of which does not know it, by what the coils together
/// do: in turns, maps from the images (ESPIRiT), the image rho that the samples show through them (SENSE), and from
/// S_c rho on the coils' own images again, in which the samples have the last word. After the structured low-rank
/// completion of undersampled calibrations (SAKE) [Shin 2014] and joint estimation (JSENSE) [Ying 2007]. rho is found
/// by few iterations at first and by more from turn to turn, as wrong maps amplify what they get wrong.
/// @param coil_images  [x y z coil] of CalibrationProblem::coil_images
void fill_gaps(const CalibrationProblem& problem, Array& coil_images);

}  // namespace recon
