#pragma once

#include <functional>
#include <span>
#include <vector>

#include "app/studies/sodium/sodium_object.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon::sodium {

/// Numbers of an image within a region.
struct RegionMean {
    Index voxel_count = 0;
    double mean = 0;
    double scatter = 0;  ///< standard deviation of the voxels
};
/// @param values  [x y z]. @throws InputError if no voxel lies inside
RegionMean region_mean(std::span<const float> values, const VoxelGrid& grid, const Region& region);

/// Signal of one mmol/l that has not relaxed, from the calibration phantoms.
struct Calibration {
    double signal_per_mmol = 0;
    double standard_deviation = 0;  ///< of that
    std::vector<RegionMean> vials;
};

/// Least squares through zero of the phantoms' signals over their concentrations, each times its signal factor; its
/// standard deviation from the residuals.
/// @param factor  of a phantom: signal_factor, or 1 to leave relaxation and saturation aside
/// @throws InputError if there are fewer than two phantoms
Calibration calibrate(std::span<const float> magnitudes, const VoxelGrid& grid, const std::vector<Region>& vials,
                      const std::function<double(const Relaxation&)>& factor);

/// Concentration in mmol/l and its standard deviation, [x y z].
struct ConcentrationMap {
    std::vector<float> mmol_per_l;
    std::vector<float> standard_deviation;
};

/// c = |rho| / (s f), f the signal factor of what is in a voxel; var c = (sigma / (s f))^2 + (c sigma_s / s)^2.
/// @param sd  of the image's magnitude, [x y z]; empty: taken as 0
ConcentrationMap concentration_map(std::span<const float> magnitudes, std::span<const float> sd, const VoxelGrid& grid,
                                   const Calibration& calibration,
                                   const std::function<double(const PerAxis<double>&)>& factor_at);

}  // namespace recon::sodium
