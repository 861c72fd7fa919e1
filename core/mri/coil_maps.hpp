#pragma once

#include <span>

#include "core/backend.hpp"
#include "core/division.hpp"
#include "core/operators/kspace_batches.hpp"

namespace recon {

struct CoilMapOptions {
    /// Radius of the calibration region in cycles per FOV; 0 takes the smaller of 16 and a quarter of the matrix.
    double calibration_radius = 0;
};

/// Coil maps from the centre of k-space: S_c = m_c / sqrt(sum |m|^2) with the Hann-windowed gridded images
///
///     m_c = sum_m cos^2(pi |k_m| / 2K) w_m d[m,c] exp(+i 2 pi k_m.r),   |k_m| < K.
///
/// @param sums  of the trajectory; with off-resonance where that is known
/// @param kspace [sample coil], @param density_weights [sample]; like `trajectory`, those of this rank
/// @param kspace_residency, maps_residency  where the samples are meanwhile, and where the maps are to be
/// @return those of this rank, over all coils of unit root-sum-of-squares wherever there is any signal
/// @throws InputError if no sample lies in the calibration region, or all of them are zero
CoilSensitivity estimate_coil_maps(Backend& backend, const FourierSums& sums, const Trajectory& trajectory,
                                   std::span<const cfloat> kspace, Index coil_count,
                                   std::span<const double> density_weights, const CoilMapOptions& options,
                                   const Division& division, Residency kspace_residency = Residency::resident,
                                   Residency maps_residency = Residency::resident);

}  // namespace recon
