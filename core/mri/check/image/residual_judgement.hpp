#pragma once

#include <string>
#include <vector>

#include "core/fourier/trajectory.hpp"
#include "core/mri/check/check_finding.hpp"
#include "core/mri/check/image/residual_shares.hpp"

namespace recon {

/// What stands around a residual that is to be judged.
struct ResidualSite {
    Index samples_per_readout = 0;         ///< 0: they differ
    std::vector<Index> coil_numbers = {};  ///< what the coils are called, [coil]; empty: by their place
    Index virtual_coils = 0;               ///< that the energies of samples are of; 0: the coils themselves
    std::string frame = "";                ///< " of frame 3"; empty for the only one
    double noise_sigma = 0;                ///< sqrt(E|n|^2) of a sample of a coil; 0: unknown
    std::vector<Index> rim_readouts = {};  ///< as below, ascending
    std::vector<Index> rim_places = {};    ///< the same
};

/// The readouts that run along the rim of the band: all of their samples lie within a cycle of its edge along one axis,
/// as the outermost lines of a Cartesian scan. What the object has beyond the band comes into them through the coil
/// maps, which no image of these voxels can explain.
std::vector<Index> rim_readouts(const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                                Index samples_per_readout);

/// The places of readouts that lie at the rim in all of them: no nearer than one and a half cycles to the ellipsoid in
/// the band, as the last samples of spirals. What voxels leave of sharp edges is in them.
std::vector<Index> rim_places(const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                              Index samples_per_readout);

/// Judges what an image leaves unexplained.
///
/// Coils, readouts, and places that all readouts have in common at their ends, are compared with each other: what is
/// left of one is expected to be v + e^2 |E rho|^2, v the lower quartile of all and e^2 the median of (left - v) / |E
/// rho|^2 of the stronger half: noise, and errors of the model, that grow with the signal. Nine times as much, of any,
/// is a finding. So is a residual as a whole of more than half of the data that noise does not account for.
/// @return nothing where numbers are not finite
std::vector<CheckFinding> judge_residual(const ResidualShares& shares, const ResidualSite& site);

}  // namespace recon
