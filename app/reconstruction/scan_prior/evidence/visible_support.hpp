#pragma once

#include <memory>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "core/operators/support.hpp"

namespace recon {

/// The voxels that some coil sees, within a support that was asked for. Maps that are cut off where there is no object
/// (ESPIRiT) leave others, of which the data say nothing: an image there would be the prior's alone, and its standard
/// deviation no error of the image.
/// @param map_energy  `coil_energy` of the problem (app/reconstruction/problem/coil_energy.hpp)
/// @param asked        null: all voxels
/// @return null where all voxels are seen and none was asked for. The same on all ranks
std::shared_ptr<const Support> visible_support(const FrameProblem& problem, ConstArrayView map_energy,
                                               std::shared_ptr<const Support> asked);

}  // namespace recon
