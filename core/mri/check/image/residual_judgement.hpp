#pragma once

#include <string>
#include <vector>

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
    std::vector<Index> rim_readouts = {};  ///< as rim_readouts
    std::vector<Index> rim_places = {};    ///< as rim_places
};

/// Judges what an image leaves unexplained.
///
/// Coils, readouts, and places that all readouts have in common at their ends, are compared with each other: what is
/// left of one is expected to be v + e^2 |E rho|^2, v the lower quartile of all and e^2 the median of (left - v) / |E
/// rho|^2 of the stronger half: noise, and errors of the model, that grow with the signal. Nine times as much, of any,
/// is a finding. So is a residual as a whole of more than half of the data that noise does not account for.
/// @return nothing where numbers are not finite
std::vector<CheckFinding> judge_residual(const ResidualShares& shares, const ResidualSite& site);

}  // namespace recon
