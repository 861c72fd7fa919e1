#pragma once

#include <span>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/base/types.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon {

/// What a simulated object's magnetisation does between excitation and acquisition.
struct SimulatedOffResonance {
    double largest_hz = 0;    ///< off-resonance over the field of view lies within about plus-minus this
    double r2star_per_s = 0;  ///< largest R2*
    bool asked_for() const { return largest_hz != 0 || r2star_per_s != 0; }
};

/// A head's off-resonance, of unit size: a tilted plane (imperfect shim), a positive spot above the sinuses (in front,
/// at negative y) and two weaker negative ones beside the ears. Smooth, between -0.65 and 1.
/// @param position  fields of view
double head_off_resonance(const PerAxis<double>& position);

/// R2* of unit size: 0.4, more towards the spots; at most 1.
double head_r2star(const PerAxis<double>& position);

/// Signal of an object on a grid of voxels, each sample at its own time, exactly (sums in double precision, the phase
/// of every voxel at the time of every sample):
///
///     s[m,c] = sum_j rho_jc exp(-i 2 pi k_m.r_j) exp(-(R_j + i 2 pi f_j) t_m)
///
/// Samples of equal time share one modulated image: readouts alike are cheap.
/// @param images  [x y z coil]  @param off_resonance_hz, r2star_per_s  [x y z]
/// @return [sample coil]
std::vector<cdouble> signal_with_off_resonance(Backend& backend, std::span<const cdouble> images,
                                               const PerAxis<Index>& matrix_size, Index coil_count,
                                               std::span<const float> off_resonance_hz,
                                               std::span<const float> r2star_per_s, const Trajectory& trajectory,
                                               std::span<const float> sample_times_s);

}  // namespace recon
