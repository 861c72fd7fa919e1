#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/log.hpp"
#include "data/formats/nifti/nifti_header.hpp"

namespace recon {
namespace {

/// Millimetres in the header's unit of length; none if it names none.
std::optional<double> unit_mm(const NiftiHeader& header) {
    switch (header.xyzt_units & 7) {
        case 1: return 1000.0;
        case 2: return 1.0;
        case 3: return 1e-3;
        default: return std::nullopt;
    }
}

NiftiAffine sform(const NiftiHeader& header) {
    NiftiAffine affine{};
    for (int column = 0; column < 4; ++column) {
        affine[0][column] = header.srow_x[column];
        affine[1][column] = header.srow_y[column];
        affine[2][column] = header.srow_z[column];
    }
    return affine;
}

/// "METHOD 2" of nifti1.h: the rotation of the quaternion (a, b, c, d), a >= 0, its third axis turned if pixdim[0] < 0.
NiftiAffine qform(const NiftiHeader& header) {
    double b = header.quatern_b, c = header.quatern_c, d = header.quatern_d;
    const double rest = 1 - (b * b + c * c + d * d);
    double a = std::sqrt(std::max(0.0, rest));
    if (rest < 0) {  // rounding: a half turn
        const double length = std::sqrt(b * b + c * c + d * d);
        b /= length, c /= length, d /= length;
    }
    const std::array<PerAxis<double>, 3> rotation{{
        {a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
        {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
        {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c},
    }};
    const PerAxis<double> step{header.pixdim[1], header.pixdim[2],
                               header.pixdim[3] * (header.pixdim[0] < 0 ? -1.0 : 1.0)};
    const PerAxis<double> offset{header.qoffset_x, header.qoffset_y, header.qoffset_z};
    NiftiAffine affine{};
    for (int row = 0; row < 3; ++row) {
        for (int axis = 0; axis < 3; ++axis) {
            affine[row][axis] = rotation[row][axis] * step[axis];
        }
        affine[row][3] = offset[row];
    }
    return affine;
}

/// None if the affine does not span space or is not finite.
std::optional<Geometry> placed(const NiftiAffine& affine, PerAxis<Index> matrix_size, double millimetres) {
    constexpr PerAxis<double> ras_to_lps{-1, -1, 1};
    Geometry geometry;
    geometry.matrix_size = matrix_size;
    Orientation place;
    const std::array<PerAxis<double>*, 3> directions{&place.x_direction, &place.y_direction, &place.z_direction};
    for (int row = 0; row < 3; ++row) {
        place.centre_mm[row] = affine[row][3];
        for (int axis = 0; axis < 3; ++axis) {
            place.centre_mm[row] += affine[row][axis] * static_cast<double>(matrix_size[axis] / 2);
        }
        place.centre_mm[row] *= ras_to_lps[row] * millimetres;
    }
    for (int axis = 0; axis < 3; ++axis) {
        const double length = std::hypot(affine[0][axis], affine[1][axis], affine[2][axis]);
        if (!(length > 0) || !std::isfinite(length)) {
            return std::nullopt;
        }
        geometry.field_of_view_mm[axis] = length * millimetres * static_cast<double>(matrix_size[axis]);
        for (int row = 0; row < 3; ++row) {
            (*directions[axis])[row] = ras_to_lps[row] * affine[row][axis] / length;
        }
    }
    if (!is_usable(place)) {
        return std::nullopt;
    }
    geometry.orientation = place;
    return geometry;
}

}  // namespace

Geometry nifti_geometry(const NiftiHeader& header, PerAxis<Index> matrix_size, const std::string& path) {
    const std::optional<double> unit = unit_mm(header);
    std::optional<Geometry> geometry;
    if (header.sform_code > 0 && !(geometry = placed(sform(header), matrix_size, unit.value_or(1)))) {
        log_warning("{}: its sform does not span space and is not used", path);
    }
    if (!geometry && header.qform_code > 0 && !(geometry = placed(qform(header), matrix_size, unit.value_or(1)))) {
        log_warning("{}: its qform does not span space and is not used", path);
    }
    if (geometry) {
        return *geometry;
    }
    Geometry lengths;
    lengths.matrix_size = matrix_size;
    const auto pixdim = std::array{header.pixdim[1], header.pixdim[2], header.pixdim[3]};
    const bool placeholder = !unit && std::all_of(pixdim.begin(), pixdim.end(), [](float size) { return size == 1; });
    for (int axis = 0; axis < 3 && !placeholder; ++axis) {
        const double size_mm = static_cast<double>(pixdim[axis]) * unit.value_or(1);
        if (std::isfinite(size_mm) && size_mm > 0) {
            lengths.field_of_view_mm[axis] = size_mm * static_cast<double>(matrix_size[axis]);
        }
    }
    return lengths;
}

}  // namespace recon
