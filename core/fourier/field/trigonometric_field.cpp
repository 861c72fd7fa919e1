#include "core/fourier/field/trigonometric_field.hpp"

#include <complex>
#include <utility>

#include "core/fourier/field/field_row.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon {

TrigonometricField::TrigonometricField(Index component_count, const PerAxis<Index>& degree, Sign sign)
    : component_count_(component_count),
      degree_(degree),
      sign_(sign),
      coefficients_(component_count * (2 * degree[0] + 1) * (2 * degree[1] + 1) * (2 * degree[2] + 1)) {}

const cfloat* TrigonometricField::coefficients(const PerAxis<Index>& q) const {
    const Index row = (q[2] + degree_[2]) * (2 * degree_[1] + 1) + q[1] + degree_[1];
    return coefficients_.data() + component_count_ * (row * (2 * degree_[0] + 1) + q[0] + degree_[0]);
}

cfloat* TrigonometricField::coefficients(const PerAxis<Index>& q) {
    return const_cast<cfloat*>(std::as_const(*this).coefficients(q));
}

std::vector<cfloat> TrigonometricField::phases(int axis, const PerAxis<Index>& matrix_size) const {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    const double turns = (sign_ == Sign::minus ? -2 * pi : 2 * pi) * step_;
    std::vector<cfloat> phases;
    for (Index i = 0; i < matrix_size[axis]; ++i) {
        for (Index q = -degree_[axis]; q <= degree_[axis]; ++q) {
            phases.emplace_back(std::polar(1.0, turns * static_cast<double>(q) * grid.position(axis, i)));
        }
    }
    return phases;
}

TrigonometricField::Rows::Rows(const TrigonometricField& field, const PerAxis<Index>& matrix_size)
    : field_(field),
      voxel_count_(matrix_size[0]),
      phases_{field.phases(0, matrix_size), field.phases(1, matrix_size), field.phases(2, matrix_size)},
      plane_(field.component_count_ * field.terms(0) * field.terms(1)),
      row_(field.component_count_ * field.terms(0)) {}

void TrigonometricField::Rows::evaluate(Index y, Index z, std::vector<cfloat>& values) {
    const Index component_count = field_.component_count_;
    const auto row_size = static_cast<Index>(row_.size());
    if (z != z_) {
        sum_terms(field_.coefficients_.data(), row_size * field_.terms(1), field_.terms(2),
                  phases_[2].data() + z * field_.terms(2), plane_.data());
        z_ = z;
    }
    sum_terms(plane_.data(), row_size, field_.terms(1), phases_[1].data() + y * field_.terms(1), row_.data());
    values.resize(component_count * voxel_count_);
    field_row_values(row_.data(), component_count, field_.terms(0), phases_[0].data(), voxel_count_, values.data());
}

}  // namespace recon
