#pragma once

#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Input of the benchmarks mri-q and mri-fhd of the Parboil suite. (docs/file-formats.md)
struct ParboilInput {
    PerAxis<std::vector<float>> k;  ///< [sample], cycles per field of view
    PerAxis<std::vector<float>> r;  ///< [voxel], fields of view; any positions, not only grids
    std::vector<cfloat> phi;        ///< [sample], Fourier transform of the voxel basis function
    std::vector<cfloat> kspace;     ///< [sample], d of mri-fhd; empty in a file of mri-q

    Index sample_count() const { return static_cast<Index>(phi.size()); }
    Index voxel_count() const { return static_cast<Index>(r[0].size()); }

    /// Keeps the first `count` samples, all if there are no more.
    void keep_samples(Index count);
};

/// int32 counts of samples K and voxels X, then float32 kx ky kz[K], x y z[X], phiR phiI[K], and in files of mri-fhd
/// dR dI[K]; little-endian. The size says which of the two a file is.
/// @throws InputError if the file is missing, its size does not follow from its counts, or a number is not finite
ParboilInput read_parboil_input(const std::string& path);
/// With `kspace` if there is any. @throws InputError if the file cannot be written or a count exceeds 2^31 - 1
void write_parboil_input(const std::string& path, const ParboilInput& input);

/// Q or F^H d: uint32 count X, then float32 real[X], imaginary[X]. @throws InputError as above
std::vector<cfloat> read_parboil_output(const std::string& path);
void write_parboil_output(const std::string& path, const std::vector<cfloat>& values);

}  // namespace recon
