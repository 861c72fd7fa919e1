#pragma once

#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "core/base/named_array.hpp"

namespace recon {

/// The g-factor of plain least squares [Pruessmann 1999, eq. 23], A = E^H E:
///
///     g(r) = sqrt((A^-1)_rr A_rr)
///
/// by how much gaps in k-space, its density and the overlap of the coils amplify the noise of a voxel, over that of as
/// many samples of a full Cartesian grid. (A^-1)_rr is the mean of |z(r)|^2 over solutions of A z = E^H n, n white, so
/// each voxel is good to 1 / (2 sqrt(draws)) of its value. With density weights W it is that of their solution,
/// A = E^H W E, A z = E^H W n, over as many samples that all weigh the same.
/// @param draws  at least 1
/// @return "uncertainty/g_factor", [x y z]; 0 where no coil sees anything; the same on all ranks; of fewer draws where
/// the run was to stop, and without a name where none was finished
NamedArray g_factor_map(const FrameProblem& problem, Index draws);

/// That map, if the options ask for one, into a frame's maps.
void add_g_factor(const FrameProblem& problem, std::vector<NamedArray>& maps);

}  // namespace recon
