#pragma once

#include <string>

#include "core/mri/image.hpp"

namespace recon {

/// True if the file, packed by gzip or not, begins like a NIfTI file; false for anything else, missing files included.
bool looks_like_nifti(const std::string& path);

/// Reads a NIfTI-1 file (.nii, .nii.gz) of either byte order: integers, reals or complex numbers, scaled by scl_slope
/// and scl_inter. Axes after the third become frames.
///
/// Where it lies comes from the sform, else the qform, turned from RAS to our LPS; none if the file gives neither. The
/// voxel size is that of the affine in use, else pixdim; unknown (0) if pixdim is not positive, or is 1 without a unit
/// as viewers' placeholders are. Values need not be finite: who uses them must check.
/// @throws InputError if the file is missing, damaged, truncated, NIfTI-2, a .hdr/.img pair, or of a type that holds no
/// numbers. Source: nifti1.h [Cox 2004]
Image read_nifti(const std::string& path);

}  // namespace recon
