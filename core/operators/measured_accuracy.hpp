#pragma once

#include <span>

#include "core/operators/encoding.hpp"

namespace recon {

/// Relative L2 errors against double-precision direct sums, on randomly chosen voxels.
struct MeasuredAccuracy {
    double q = 0;
    double fhd = 0;
    double normal = 0;
};

/// What the run computed, to be held against the definition.
struct AccuracySubject {
    const Encoding& encoding;
    const Trajectory& trajectory;
    std::span<const double> sample_factors;   ///< g of the encoding, [sample]; empty means 1
    std::span<const double> root_weights;     ///< sqrt(w), [sample]; empty means 1
    std::span<const cfloat> kspace;           ///< d, [sample coil]
    std::span<const float> off_resonance_hz;  ///< [x y z]; empty means none
    std::span<const float> sample_times_s;    ///< [sample]; needed with off-resonance alone
    ConstArrayView fhd;                       ///< E^H sqrt(w) d, [x y z]
};

/// Measures E^H d on random voxels, and E^H E on an image that is random on a few voxels and zero elsewhere.
///
/// As many voxels are taken as a budget of (sample, voxel) pairs allows: a second or so of work, at least 4 voxels.
void measure_encoding(const AccuracySubject& subject, MeasuredAccuracy& accuracy);

/// Relative L2 error of Q on random voxel differences.
/// @param q  on VoxelGrid::differences(matrix_size), @param weights  [sample]; empty means 1
double measured_q_error(ConstArrayView q, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                        std::span<const double> weights);

}  // namespace recon
