#pragma once

#include <span>

#include "core/fourier/off_resonance_maps.hpp"
#include "core/operators/encoding.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

/// Relative L2 errors against double-precision direct sums, on randomly chosen voxels: docs/accuracy-check.md has what
/// they are worth.
struct MeasuredAccuracy {
    double q = 0;
    double fhd = 0;
    double normal = 0;
};

/// What the run computed, to be held against the definition. Samples and coils are those of this rank.
struct AccuracySubject {
    const Encoding& encoding;
    const Trajectory& trajectory;
    std::span<const double> sample_factors;   ///< g of the encoding, [sample]; empty means 1
    std::span<const double> root_weights;     ///< sqrt(w), [sample]; empty means 1
    std::span<const cfloat> kspace;           ///< d, [sample coil]
    OffResonanceMaps off_resonance;           ///< [x y z]; empty means none
    std::span<const float> sample_times_s;    ///< [sample]; needed with off-resonance alone
    ConstArrayView fhd;                       ///< E^H sqrt(w) d, [x y z], of all ranks
    const LinearOperator& normal = encoding;  ///< whose normal product is that of all ranks
    Communicator& ranks = only_rank();
    double seconds = 0;  ///< what the check may take, the same on all ranks; see measure_encoding
};

/// Measures E^H d on random voxels, and E^H E on an image that is random on half of them and zero elsewhere.
///
/// Every voxel's sum is over all samples and coils. As many voxels are taken as the predicted seconds allow, 8 to 64.
void measure_encoding(const AccuracySubject& subject, MeasuredAccuracy& accuracy);

/// Relative L2 error of Q on random voxel differences, 8 to 400 of them, as the predicted seconds allow.
/// @param q  on VoxelGrid::differences(matrix_size), the same on all ranks
/// @param trajectory, weights  [sample], those of this rank; empty weights mean 1
/// @param seconds  the same on all ranks
double measured_q_error(ConstArrayView q, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                        std::span<const double> weights, double seconds = 0, Communicator& ranks = only_rank());

}  // namespace recon
