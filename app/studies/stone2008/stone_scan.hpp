#pragma once

#include <cstdint>
#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon::stone {

/// The scan of the study, one coil: known volume, 3-D spirals, noise.
struct Scan {
    PerAxis<Index> matrix_size;
    Trajectory trajectory;
    std::vector<cfloat> kspace;  ///< [sample]
    std::vector<cfloat> truth;   ///< [x y z]
    Index readout_count;
    Index samples_per_readout;
};

/// The brain phantom along spirals on cones from the centre of k-space, the nearest to the paper's 3-D spiral that
/// `recon simulate` has: readouts are added until neighbouring ones are as dense as `sample_count` asks for, then
/// divided into as many samples.
/// @param sample_count  nearly kept: a multiple of the number of readouts. @throws UsageError for what cannot be
Scan simulate(Index size, Index sample_count, double snr, std::uint64_t seed);

}  // namespace recon::stone
