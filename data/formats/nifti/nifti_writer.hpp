#pragma once

#include <string>

#include "core/mri/image.hpp"

namespace recon {

enum class NiftiValues { magnitude, complex };

/// Writes a NIfTI-1 file: one volume, or a 4-D series of frames; float32 magnitudes, or complex64. A name that ends in
/// ".gz" is compressed. An existing file is replaced only when the new one is complete.
///
/// Single slices that form a stack become one volume (core/mri/slice_stack.hpp). The affine (sform and qform) maps
/// voxel indices to millimetres in RAS, turned from our LPS; without a known orientation both codes are 0. A series of
/// frames that lie in different places keeps the affine of the first, with a warning in the log.
/// @throws InputError if an axis exceeds NIfTI-1's 32767 or the file cannot be written, ShapeError if the voxels do not
/// match the frames. Source: nifti1.h, R. W. Cox et al. 2004
void write_nifti(const std::string& path, const Image& image, NiftiValues values = NiftiValues::magnitude);

}  // namespace recon
