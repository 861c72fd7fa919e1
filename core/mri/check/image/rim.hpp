#pragma once

#include <vector>

#include "core/fourier/trajectory.hpp"

namespace recon {

/// The readouts that run along the rim of the band: all of their samples lie within a cycle of its edge along one axis,
/// as the outermost lines of a Cartesian scan. What the object has beyond the band comes into them through the coil
/// maps, which no image of these voxels can explain.
std::vector<Index> rim_readouts(const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                                Index samples_per_readout);

/// The places of readouts that lie at the rim in all of them: no nearer than one and a half cycles to the ellipsoid in
/// the band, as the last samples of spirals. What voxels leave of sharp edges is in them.
std::vector<Index> rim_places(const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                              Index samples_per_readout);

}  // namespace recon
