#include "core/mri/coils/coil_matrix_field.hpp"

#include <cmath>
#include <utility>

#include "core/base/cancel.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "core/mri/coils/coil_field_row.hpp"

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

TrigonometricField::Rows::Rows(const TrigonometricField& field, const PerAxis<Index>& matrix_size)
    : field_(field), voxel_count_(matrix_size[0]) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    const double turns = field.sign_ == Sign::minus ? -2 * pi : 2 * pi;
    for (int axis = 0; axis < 3; ++axis) {
        terms_[axis] = 2 * field.degree_[axis] + 1;
        for (Index i = 0; i < matrix_size[axis]; ++i) {
            for (Index q = -field.degree_[axis]; q <= field.degree_[axis]; ++q) {
                phases_[axis].emplace_back(std::polar(1.0, turns * static_cast<double>(q) * grid.position(axis, i)));
            }
        }
    }
    row_.resize(field.component_count_ * terms_[0]);
    plane_.resize(row_.size() * terms_[1]);
}

void TrigonometricField::Rows::evaluate(Index y, Index z, std::vector<cfloat>& values) {
    const Index component_count = field_.component_count_;
    const auto row_size = static_cast<Index>(row_.size());
    if (z != z_) {
        sum_terms(field_.coefficients_.data(), row_size * terms_[1], terms_[2], phases_[2].data() + z * terms_[2],
                  plane_.data());
        z_ = z;
    }
    sum_terms(plane_.data(), row_size, terms_[1], phases_[1].data() + y * terms_[1], row_.data());
    values.resize(component_count * voxel_count_);
    field_row_values(row_.data(), component_count, terms_[0], phases_[0].data(), voxel_count_, values.data());
}

DominantEigenvectors dominant_eigenvectors(const CoilMatrixField& field, const TrigonometricField& images,
                                           const std::vector<cdouble>& reference, const PerAxis<Index>& matrix_size,
                                           const Share& coils) {
    const CancelToken& cancel = cancel_of_this_thread();
    const Index voxel_count = matrix_size[0] * matrix_size[1] * matrix_size[2];
    const Index row_count = matrix_size[1] * matrix_size[2];
    const std::vector<cfloat> reference_vector(reference.begin(), reference.end());
    DominantEigenvectors result{std::vector<cfloat>(voxel_count * coils.count), std::vector<float>(voxel_count),
                                std::vector<float>(voxel_count)};
#pragma omp parallel
    {
        TrigonometricField::Rows rows(field.pairs, matrix_size);
        TrigonometricField::Rows image_rows(images, matrix_size);
        std::vector<cfloat> pairs, of_images;
#pragma omp for schedule(dynamic)
        for (Index row = 0; row < row_count; ++row) {
            if (cancel.is_due()) {
                continue;
            }
            rows.evaluate(row % matrix_size[1], row / matrix_size[1], pairs);
            image_rows.evaluate(row % matrix_size[1], row / matrix_size[1], of_images);
            const Index first = row * matrix_size[0];
            dominant_of_row({.voxel_count = matrix_size[0],
                             .coil_count = field.coil_count,
                             .pairs = pairs.data(),
                             .images = of_images.data(),
                             .reference = reference_vector.data(),
                             .first_coil = coils.first,
                             .stored_coil_count = coils.count,
                             .vectors = result.vectors.data() + first,
                             .stride = voxel_count,
                             .eigenvalues = result.eigenvalues.data() + first,
                             .energies = result.energies.data() + first});
        }
    }
    cancel.check();
    return result;
}

}  // namespace recon
