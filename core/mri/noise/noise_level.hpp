#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/trajectory.hpp"
#include "core/mri/all_coils.hpp"

namespace recon {

/// sigma = sqrt(E|n|^2) of one sample of one coil, in the units of k-space; coils of unequal noise: root mean square.
struct NoiseLevel {
    double sigma = 0;  ///< 0: unknown
    std::string source;
};

/// The level of a noise-only acquisition. Prewhitening with it keeps it, as its covariance is scaled to mean
/// variance 1.
/// @param noise  [sample coil], not empty
NoiseLevel noise_level_of_acquisition(std::span<const cfloat> noise);

/// An estimate from the data themselves, where they hold little signal. Two places are looked at, and the lower of the
/// two levels is taken, because what is left of the signal can only raise it:
///
/// - the highest quarter of the temporal frequencies of each readout (Hann window): empty where samples lie closer
///   than the field of view asks for;
/// - the outer tenth of k-space.
///
/// In both, the median of |.|^2 over ln 2, which is the variance of complex Gaussian numbers, and hardly moved by
/// signal in fewer than half of them. Exact zeros are left out.
/// @param kspace  [sample coil]
/// @param samples_per_readout  0 where readouts differ in length: the first place is not looked at
/// @return sigma 0 if there are fewer than 32 numbers to judge by
NoiseLevel noise_level_of_edges(const AllCoils& kspace, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                                Index samples_per_readout);

/// The variances of the coils by the same estimate, [coil]; empty if there are too few numbers to judge by.
std::vector<double> noise_variances_of_edges(const AllCoils& kspace, const Trajectory& trajectory,
                                             PerAxis<Index> matrix_size, Index samples_per_readout);

/// As above, of the outer tenth of k-space alone.
NoiseLevel noise_level_of_outer_samples(const AllCoils& kspace, const Trajectory& trajectory,
                                        PerAxis<Index> matrix_size);

}  // namespace recon
