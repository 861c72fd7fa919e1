#pragma once

#include "app/reconstruction/coils/calibration_problem.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// What the samples at the centre of k-space tell of the coils (docs/decisions/0045-coils-and-image-together.md).
enum class CoilsAreTold {
    alone,       ///< the image of each
    together,    ///< each alone is aliased; sensitivities and one image explain them (joint_inversion)
    not_at_all,  ///< the whole object comes again beside itself, as on a lattice that leaves points out
};
CoilsAreTold how_coils_are_told(const CalibrationProblem& problem);

/// The same by what a trajectory covers about k = 0, whatever was measured there.
CoilsAreTold how_coils_are_told(Backend& backend, const Trajectory& trajectory, const PerAxis<Index>& matrix_size);

/// Whether coil maps are to be estimated from the frames that are imaged: there are none, and no calibration apart.
bool estimates_maps_of_its_frames(const Scan& scan);

}  // namespace recon
