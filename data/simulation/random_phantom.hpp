#pragma once

#include <cstdint>

#include "data/formats/parboil/parboil_file.hpp"

namespace recon {

/// Input for mri-q and mri-fhd of any size: eight random ellipsoids within the field of view, their exact Fourier
/// transform d at random samples spread evenly over the band, voxels on the image grid (x fastest), phi of box voxels.
/// The same numbers for the same seed on every machine.
/// @param matrix_size  1 for an axis that is absent. @throws UsageError if a count is not in 1 to 2^31 - 1
ParboilInput random_phantom(PerAxis<Index> matrix_size, Index sample_count, std::uint64_t seed);

}  // namespace recon
