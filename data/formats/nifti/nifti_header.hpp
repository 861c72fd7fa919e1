#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/mri/scan.hpp"

namespace recon {

/// The 348 bytes at the start of a NIfTI-1 file, names and layout as in nifti1.h [Cox 2004].
struct NiftiHeader {
    std::int32_t sizeof_hdr = 348;
    char data_type[10] = {};
    char db_name[18] = {};
    std::int32_t extents = 0;
    std::int16_t session_error = 0;
    char regular = 'r';
    char dim_info = 0;

    std::array<std::int16_t, 8> dim{};
    float intent_p1 = 0, intent_p2 = 0, intent_p3 = 0;
    std::int16_t intent_code = 0;
    std::int16_t datatype = 0;
    std::int16_t bitpix = 0;
    std::int16_t slice_start = 0;
    std::array<float, 8> pixdim{};
    float vox_offset = 352;  ///< the header and four zero bytes: no extensions
    float scl_slope = 1;
    float scl_inter = 0;
    std::int16_t slice_end = 0;
    char slice_code = 0;
    char xyzt_units = 0;
    float cal_max = 0;
    float cal_min = 0;
    float slice_duration = 0;
    float toffset = 0;
    std::int32_t glmax = 0;
    std::int32_t glmin = 0;

    char descrip[80] = {};
    char aux_file[24] = {};
    std::int16_t qform_code = 0;
    std::int16_t sform_code = 0;
    float quatern_b = 0, quatern_c = 0, quatern_d = 0;
    float qoffset_x = 0, qoffset_y = 0, qoffset_z = 0;
    std::array<float, 4> srow_x{};
    std::array<float, 4> srow_y{};
    std::array<float, 4> srow_z{};
    char intent_name[16] = {};
    char magic[4] = {'n', '+', '1', '\0'};
};
static_assert(sizeof(NiftiHeader) == 348, "the layout of nifti1.h has no gaps");

/// Voxel index (i, j, k) to millimetres: rows x, y, z; columns i, j, k, constant.
using NiftiAffine = std::array<std::array<double, 4>, 3>;

/// RAS millimetres of a voxel index: centre + sum over axes of (i - floor(N/2)) voxel_size direction, with x and y
/// negated because our Orientation is LPS.
NiftiAffine nifti_affine(PerAxis<Index> matrix_size, PerAxis<double> voxel_size_mm, const Orientation& orientation);

/// Sets sform and qform, code 1 (scanner coordinates). The qform cannot hold sheared axes: it gets the nearest
/// Gram-Schmidt rotation.
void set_affine(NiftiHeader& header, const NiftiAffine& affine);

/// Size and place of the voxels: sform if it has a code and spans space, else qform, else pixdim alone; turned from RAS
/// to LPS. Unknown lengths are 0. @param path  for the log
Geometry nifti_geometry(const NiftiHeader& header, PerAxis<Index> matrix_size, const std::string& path);

}  // namespace recon
