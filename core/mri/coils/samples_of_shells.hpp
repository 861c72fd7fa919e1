#pragma once

#include <vector>

#include "core/fourier/trajectory.hpp"

namespace recon {

/// Some samples of a trajectory from its centre to its edge, ascending: `shells` shells of equal thickness about the
/// origin give `most_of_shell` each, spread over it, or all that they have. So the centre is seen whatever few samples
/// a Cartesian scan has there, and the edge however many a radial one has at the centre.
std::vector<Index> samples_of_shells(const Trajectory& trajectory, Index shells, Index most_of_shell);

}  // namespace recon
