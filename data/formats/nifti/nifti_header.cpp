#include "data/formats/nifti/nifti_header.hpp"

#include <algorithm>
#include <cmath>

namespace recon {

namespace {

using Vector = PerAxis<double>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector scaled(double factor, const Vector& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }

Vector difference(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Vector unit(const Vector& a) { return scaled(1 / std::sqrt(dot(a, a)), a); }

struct Quaternion {
    double a, b, c, d;
};

/// Of the rotation with columns x, y, z. The largest component is found first, so that no small number is divided by.
Quaternion quaternion(const Vector& x, const Vector& y, const Vector& z) {
    const double r11 = x[0], r22 = y[1], r33 = z[2];
    const std::array<double, 4> squares{1 + r11 + r22 + r33, 1 + r11 - r22 - r33, 1 - r11 + r22 - r33,
                                        1 - r11 - r22 + r33};  // 4 a^2, 4 b^2, 4 c^2, 4 d^2
    const auto largest = std::max_element(squares.begin(), squares.end()) - squares.begin();
    const double twice = std::sqrt(squares[largest]);
    const double r32_r23 = (y[2] - z[1]) / (2 * twice), r32r23 = (y[2] + z[1]) / (2 * twice);
    const double r13_r31 = (z[0] - x[2]) / (2 * twice), r13r31 = (z[0] + x[2]) / (2 * twice);
    const double r21_r12 = (x[1] - y[0]) / (2 * twice), r21r12 = (x[1] + y[0]) / (2 * twice);
    Quaternion q{};
    switch (largest) {
        case 0: q = {twice / 2, r32_r23, r13_r31, r21_r12}; break;
        case 1: q = {r32_r23, twice / 2, r21r12, r13r31}; break;
        case 2: q = {r13_r31, r21r12, twice / 2, r32r23}; break;
        default: q = {r21_r12, r13r31, r32r23, twice / 2}; break;
    }
    // NIfTI stores b, c, d and takes a >= 0
    return q.a < 0 ? Quaternion{-q.a, -q.b, -q.c, -q.d} : q;
}

Vector column(const NiftiAffine& affine, int axis) { return {affine[0][axis], affine[1][axis], affine[2][axis]}; }

}  // namespace

NiftiAffine nifti_affine(PerAxis<Index> matrix_size, PerAxis<double> voxel_size_mm, const Orientation& orientation) {
    constexpr PerAxis<double> lps_to_ras{-1, -1, 1};
    const std::array<Vector, 3> directions{orientation.x_direction, orientation.y_direction, orientation.z_direction};
    NiftiAffine affine{};
    for (int row = 0; row < 3; ++row) {
        double origin = orientation.centre_mm[row];
        for (int axis = 0; axis < 3; ++axis) {
            const double step = voxel_size_mm[axis] * directions[axis][row];
            affine[row][axis] = lps_to_ras[row] * step;
            origin -= static_cast<double>(matrix_size[axis] / 2) * step;
        }
        affine[row][3] = lps_to_ras[row] * origin;
    }
    return affine;
}

void set_affine(NiftiHeader& header, const NiftiAffine& affine) {
    const Vector x = unit(column(affine, 0));
    const Vector y = unit(difference(column(affine, 1), scaled(dot(x, column(affine, 1)), x)));
    const Vector right_handed = cross(x, y);
    const double qfac =
        dot(right_handed, column(affine, 2)) < 0 ? -1 : 1;  // z of the file = qfac times z of the rotation
    const Quaternion q = quaternion(x, y, right_handed);

    header.pixdim[0] = static_cast<float>(qfac);
    header.qform_code = 1;  // NIFTI_XFORM_SCANNER_ANAT
    header.sform_code = 1;
    header.quatern_b = static_cast<float>(q.b);
    header.quatern_c = static_cast<float>(q.c);
    header.quatern_d = static_cast<float>(q.d);
    header.qoffset_x = static_cast<float>(affine[0][3]);
    header.qoffset_y = static_cast<float>(affine[1][3]);
    header.qoffset_z = static_cast<float>(affine[2][3]);
    const auto to_float = [](double value) { return static_cast<float>(value); };
    std::transform(affine[0].begin(), affine[0].end(), header.srow_x.begin(), to_float);
    std::transform(affine[1].begin(), affine[1].end(), header.srow_y.begin(), to_float);
    std::transform(affine[2].begin(), affine[2].end(), header.srow_z.begin(), to_float);
}

}  // namespace recon
