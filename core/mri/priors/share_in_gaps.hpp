#pragma once

#include "core/mri/priors/kspace_shells.hpp"
#include "core/mri/priors/power_spectrum.hpp"

namespace recon {

/// The part of an object's energy that P expects where there are no samples: in those cells of k-space, one cycle per
/// field of view wide, that hold none, as far out as samples go.
double share_in_gaps(const Trajectory& trajectory, PerAxis<Index> matrix_size, const KspaceShells& shells,
                     const PowerSpectrum& power);

}  // namespace recon
