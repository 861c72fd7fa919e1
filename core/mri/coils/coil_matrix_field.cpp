#include "core/mri/coils/coil_matrix_field.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <utility>

#include "core/base/cancel.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon {
namespace {

using CoilMatrix = Eigen::MatrixXcf;
using CoilVector = Eigen::VectorXcf;

/// The whole matrix from its pairs c <= c'.
void unpack(const cfloat* pairs, CoilMatrix& matrix) {
    for (Index c2 = 0; c2 < matrix.cols(); ++c2) {
        for (Index c = 0; c <= c2; ++c) {
            matrix(c, c2) = *pairs;
            matrix(c2, c) = std::conj(*pairs++);
        }
    }
}

/// Improves the unit vector until it moves less than rounding of the maps would show. @return the eigenvalue
float power_iteration(const CoilMatrix& matrix, CoilVector& vector, CoilVector& product) {
    constexpr int most_iterations = 60;
    constexpr float smallest_step = 1e-5F;
    float eigenvalue = 0;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        product.noalias() = matrix * vector;
        eigenvalue = product.norm();
        if (!(eigenvalue > 0)) {
            return 0;
        }
        product /= eigenvalue;
        const float step = (product - vector).squaredNorm();
        vector.swap(product);
        if (step < smallest_step * smallest_step) {
            break;
        }
    }
    return eigenvalue;
}

}  // namespace

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

TrigonometricField::Rows::Rows(const TrigonometricField& field, const PerAxis<Index>& matrix_size) : field_(field) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    const double turns = field.sign_ == Sign::minus ? -2 * pi : 2 * pi;
    for (int axis = 0; axis < 3; ++axis) {
        for (Index i = 0; i < matrix_size[axis]; ++i) {
            for (Index q = -field.degree_[axis]; q <= field.degree_[axis]; ++q) {
                phases_[axis].emplace_back(std::polar(1.0, turns * static_cast<double>(q) * grid.position(axis, i)));
            }
        }
    }
}

void TrigonometricField::Rows::evaluate(Index y, Index z, std::vector<cfloat>& values) const {
    const PerAxis<Index> terms{2 * field_.degree_[0] + 1, 2 * field_.degree_[1] + 1, 2 * field_.degree_[2] + 1};
    const Index component_count = field_.component_count_;
    const Index voxel_count = static_cast<Index>(phases_[0].size()) / terms[0];
    CoilVector phase(terms[1] * terms[2]);
    for (Index qz = 0; qz < terms[2]; ++qz) {
        for (Index qy = 0; qy < terms[1]; ++qy) {
            phase[qz * terms[1] + qy] = phases_[1][y * terms[1] + qy] * phases_[2][z * terms[2] + qz];
        }
    }
    const Eigen::Map<const CoilMatrix> coefficients(field_.coefficients_.data(), component_count * terms[0],
                                                    terms[1] * terms[2]);
    const CoilVector row = coefficients * phase;
    values.resize(component_count * voxel_count);
    Eigen::Map<CoilMatrix>(values.data(), component_count, voxel_count).noalias() =
        Eigen::Map<const CoilMatrix>(row.data(), component_count, terms[0]) *
        Eigen::Map<const CoilMatrix>(phases_[0].data(), terms[0], voxel_count);
}

DominantEigenvectors dominant_eigenvectors(const CoilMatrixField& field, const TrigonometricField& images,
                                           const std::vector<cdouble>& reference, const PerAxis<Index>& matrix_size,
                                           const Share& coils) {
    const CancelToken& cancel = cancel_of_this_thread();
    const Index coil_count = field.coil_count;
    const Index pair_count = field.pairs.component_count();
    const Index voxel_count = matrix_size[0] * matrix_size[1] * matrix_size[2];
    const Index row_count = matrix_size[1] * matrix_size[2];
    const CoilVector reference_vector = Eigen::Map<const Eigen::VectorXcd>(reference.data(), coil_count).cast<cfloat>();
    const TrigonometricField::Rows rows(field.pairs, matrix_size);
    const TrigonometricField::Rows image_rows(images, matrix_size);
    DominantEigenvectors result{std::vector<cfloat>(voxel_count * coils.count), std::vector<float>(voxel_count),
                                std::vector<float>(voxel_count)};
#pragma omp parallel
    {
        std::vector<cfloat> pairs, of_images;
        CoilMatrix matrix(coil_count, coil_count);
        CoilVector vector(coil_count);
        CoilVector product(coil_count);
#pragma omp for schedule(dynamic)
        for (Index row = 0; row < row_count; ++row) {
            if (cancel.is_due()) {
                continue;
            }
            rows.evaluate(row % matrix_size[1], row / matrix_size[1], pairs);
            image_rows.evaluate(row % matrix_size[1], row / matrix_size[1], of_images);
            for (Index x = 0; x < matrix_size[0]; ++x) {
                unpack(pairs.data() + x * pair_count, matrix);
                const Eigen::Map<const CoilVector> image(of_images.data() + x * coil_count, coil_count);
                vector = image.stableNormalized();
                const Index voxel = row * matrix_size[0] + x;
                result.eigenvalues[voxel] = power_iteration(matrix, vector, product);
                if (!(result.eigenvalues[voxel] > 0)) {
                    continue;
                }
                const cfloat along = reference_vector.dot(vector);
                const float size = std::abs(along);
                const cfloat turn = size > 0 ? std::conj(along) / size : cfloat(1);
                for (Index c = 0; c < coils.count; ++c) {
                    result.vectors[c * voxel_count + voxel] = turn * vector[coils.first + c];
                }
                result.energies[voxel] = std::norm(vector.dot(image));
            }
        }
    }
    cancel.check();
    return result;
}

}  // namespace recon
