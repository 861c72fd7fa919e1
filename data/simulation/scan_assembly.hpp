#pragma once

#include <vector>

#include "data/simulation/simulate_scan.hpp"

namespace recon {

/// @throws UsageError if the number of coils, the SNR or the length of the noise scan cannot be
void require_valid(const SimulationOptions& options);

/// Puts a simulated scan together and adds the noise.
/// @param truth      [x y z]
/// @param kspace     [sample coil], without noise
/// @param coil_maps  [x y z coil]; left out of the scan if there is one coil, or `options` say so
Simulation assemble_simulation(const SimulationOptions& options, DesignedTrajectory design, std::vector<cfloat> truth,
                               std::vector<cfloat> kspace, std::vector<cfloat> coil_maps);

/// Adds noise of `simulation.noise_standard_deviation` to its frames, other numbers to each, and a noise scan of the
/// same.
void add_noise_of_frames(const SimulationOptions& options, Simulation& simulation);

}  // namespace recon
