#include "core/mri/coils/dominant_eigenvectors.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "tests/core/fourier/trigonometric_fields.hpp"
#include "tests/support/at_cpu_level.hpp"
#include "tests/support/backends.hpp"

namespace recon {
namespace {

/// A field of constant matrices V diag V^H, whose eigenvectors are known, seen by images of every direction.
void expect_those_of_the_matrix(Backend& backend) {
    for (const Index coils : {1, 2, 5, 9}) {
        const std::vector<cdouble> random_entries = test::random_values(coils * coils, 7);
        const Eigen::Map<const Eigen::MatrixXcd> random(random_entries.data(), coils, coils);
        const Eigen::MatrixXcd unitary = Eigen::HouseholderQR<Eigen::MatrixXcd>(random).householderQ();
        Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(coils, 0.1, 0.5);
        values[coils - 1] = 0.9;
        const Eigen::MatrixXcd matrix = unitary * values.asDiagonal() * unitary.adjoint();
        CoilMatrixField field(coils, {0, 0, 0});
        for (Index c2 = 0; c2 < coils; ++c2) {
            for (Index c = 0; c <= c2; ++c) {
                field.pairs.coefficients({0, 0, 0})[CoilMatrixField::pair(c, c2)] =
                    static_cast<cfloat>(std::conj(matrix(c, c2)));
            }
        }
        const Eigen::VectorXcd dominant = unitary.col(coils - 1).conjugate();
        const TrigonometricField images = test::random_field(coils, {1, 1, 1}, TrigonometricField::Sign::plus);
        const std::vector<cdouble> random_reference = test::random_values(coils, 9);
        const std::vector<cfloat> reference(random_reference.begin(), random_reference.end());
        const Index last = coils - 1;
        const PerAxis<Index> size{21, 3, 2};
        const DominantEigenvectors found = dominant_eigenvectors(backend, {field, images, reference, size}, {last, 1});
        const cdouble along = Eigen::Map<const Eigen::VectorXcd>(random_reference.data(), coils).dot(dominant);
        for (Index voxel = 0; voxel < 21 * 3 * 2; ++voxel) {
            EXPECT_NEAR(found.eigenvalues[voxel], 0.9, 1e-5);
            const cdouble expected = std::conj(along) / std::abs(along) * dominant[last];
            EXPECT_LT(std::abs(cdouble(found.vectors[voxel]) - expected), 1e-4) << coils << " coils, voxel " << voxel;
            cdouble of_image = 0;
            for (Index c = 0; c < coils; ++c) {
                of_image +=
                    std::conj(dominant[c]) *
                    test::value_of(images, 1, c, test::position_of(size, voxel % 21, voxel / 21 % 3, voxel / 63));
            }
            EXPECT_NEAR(found.energies[voxel], std::norm(of_image), 2e-3 * (1 + std::norm(of_image)));
        }
    }
}

/// Voxels are computed beside each other: their bits must not tell which ones, and where nothing is, nothing is found.
void expect_voxels_by_themselves(Backend& backend) {
    CoilMatrixField field(3, {2, 0, 0});
    const TrigonometricField coefficients = test::random_field(6, {1, 0, 0}, TrigonometricField::Sign::minus);
    for (Index pair = 0; pair < 6; ++pair) {  // Hermitian: C(-q) is C(q)^H
        field.pairs.coefficients({0, 0, 0})[pair] = coefficients.coefficients({0, 0, 0})[pair].real();
        field.pairs.coefficients({1, 0, 0})[pair] = coefficients.coefficients({1, 0, 0})[pair];
        field.pairs.coefficients({-1, 0, 0})[pair] = std::conj(coefficients.coefficients({1, 0, 0})[pair]);
    }
    const TrigonometricField images = test::random_field(3, {1, 0, 0}, TrigonometricField::Sign::plus);
    const std::vector<cfloat> reference(3, 1.0F);
    // every second position of 40 voxels is one of 20
    const DominantEigenvectors fine = dominant_eigenvectors(backend, {field, images, reference, {40, 1, 1}}, {0, 3});
    const DominantEigenvectors coarse = dominant_eigenvectors(backend, {field, images, reference, {20, 1, 1}}, {0, 3});
    for (Index x = 0; x < 20; ++x) {
        EXPECT_FLOAT_EQ(fine.eigenvalues[2 * x], coarse.eigenvalues[x]);
    }
    const TrigonometricField nothing(3, {0, 0, 0}, TrigonometricField::Sign::plus);
    const DominantEigenvectors none = dominant_eigenvectors(backend, {field, nothing, reference, {20, 1, 1}}, {0, 3});
    for (const cfloat value : none.vectors) {
        EXPECT_EQ(value, cfloat(0));
    }
}

class DominantEigenvectorsAtLevel : public test::AtCpuLevel {};

TEST_P(DominantEigenvectorsAtLevel, AreThoseOfTheMatrix) { expect_those_of_the_matrix(*make_cpu_backend(0)); }

TEST_P(DominantEigenvectorsAtLevel, VoxelsDoNotSeeTheirNeighbours) {
    expect_voxels_by_themselves(*make_cpu_backend(0));
}

INSTANTIATE_TEST_SUITE_P(, DominantEigenvectorsAtLevel, test::every_cpu_level(),
                         [](const auto& info) { return name_of(info.param); });

class DominantEigenvectorsOn : public test::EveryBackend {};

TEST_P(DominantEigenvectorsOn, AreThoseOfTheMatrix) { expect_those_of_the_matrix(*backend_); }

TEST_P(DominantEigenvectorsOn, VoxelsDoNotSeeTheirNeighbours) { expect_voxels_by_themselves(*backend_); }

/// Projections on a few directions that turn from voxel to voxel, as those of coils do.
CoilMatrixField turning_field(Index coils, const PerAxis<Index>& degree) {
    CoilMatrixField field(coils, degree);
    test::for_each_degree(degree, [&](const PerAxis<Index>& q) {
        const bool is_first_half = q[2] > 0 || (q[2] == 0 && (q[1] > 0 || (q[1] == 0 && q[0] > 0)));
        const bool is_centre = q == PerAxis<Index>{0, 0, 0};
        const std::vector<cdouble> values =
            test::random_values(coils * coils, static_cast<unsigned>(q[0] + 5 * q[1] + 25 * q[2] + 99));
        for (Index c2 = 0; c2 < coils; ++c2) {
            for (Index c = 0; c <= c2; ++c) {
                const Index pair = CoilMatrixField::pair(c, c2);
                if (is_centre) {
                    field.pairs.coefficients(q)[pair] = c != c2 ? 0.0F : c == coils - 1 ? 20.0F : 1.0F;
                } else if (is_first_half) {  // C[c,c'](-q) = conj(C[c',c](q))
                    const cfloat above(0.05 * values[c * coils + c2]), below(0.05 * values[c2 * coils + c]);
                    field.pairs.coefficients(q)[pair] = above;
                    field.pairs.coefficients({-q[0], -q[1], -q[2]})[pair] = std::conj(c == c2 ? above : below);
                }
            }
        }
    });
    return field;
}

TEST_P(DominantEigenvectorsOn, AreEigenvectorsOfEveryVoxelWhateverThePlanesAtATime) {
    for (const Index coils : {3, 8, 17}) {
        const CoilMatrixField field = turning_field(coils, {2, 1, 2});
        const TrigonometricField images = test::random_field(coils, {3, 2, 1}, TrigonometricField::Sign::plus);
        const std::vector<cfloat> reference(coils, 1.0F);
        const PerAxis<Index> size{19, 6, 5};
        const CoilMatrices matrices{field, images, reference, size};
        backend_->memory().restart_peak();
        const std::size_t before = backend_->memory().in_use();
        const DominantEigenvectors found = dominant_eigenvectors(*backend_, matrices, {0, coils});
        const std::size_t told = dominant_eigenvectors_bytes(*backend_, matrices.sizes(), coils);
        const std::size_t taken = backend_->memory().peak() - before;
        EXPECT_LE(taken, told);
        // what a GPU needs of one field at first it has given back when it comes to the next
        EXPECT_GT(static_cast<double>(taken), 0.8 * static_cast<double>(told));
        const Index voxel_count = Shape::image(size).element_count();
        for (Index voxel = 0; voxel < voxel_count; ++voxel) {
            Eigen::MatrixXcd matrix(coils, coils);
            Eigen::VectorXcd vector(coils);
            const PerAxis<double> position = test::position_of(size, voxel % 19, voxel / 19 % 6, voxel / 114);
            for (Index c2 = 0; c2 < coils; ++c2) {
                vector(c2) = cdouble(found.vectors[c2 * voxel_count + voxel]);
                for (Index c = 0; c <= c2; ++c) {
                    matrix(c, c2) = test::value_of(field.pairs, -1, CoilMatrixField::pair(c, c2), position);
                    matrix(c2, c) = std::conj(matrix(c, c2));
                }
            }
            const double eigenvalue = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd>(matrix).eigenvalues()[coils - 1];
            // sums of 75 terms, then of coils, in single precision; a last step of 1e-5, with the other eigenvalues at
            // most half as large, is as far from the end: of the eigenvalue the square of that
            ASSERT_NEAR(found.eigenvalues[voxel], eigenvalue, 1e-5 * eigenvalue) << coils << " coils, voxel " << voxel;
            ASSERT_LT((matrix * vector - eigenvalue * vector).norm(), 3e-5 * eigenvalue);
            ASSERT_NEAR(vector.norm(), 1, 1e-6);
            ASSERT_GT(vector.sum().real(), 0);
        }
        const Shape planes = Shape::image({19, 6, 2});
        Array vectors(*backend_, planes.with_axis("coil", 1), Precision::single);
        Array of_planes(*backend_, planes, Precision::single);
        backend_->image_primitives().dominant_eigenvectors(matrices, coils - 1, 3, vectors, of_planes);
        const std::vector<cfloat> last = download<float>(vectors);
        for (Index i = 0; i < planes.element_count(); ++i) {
            EXPECT_EQ(last[i], found.vectors[(coils - 1) * voxel_count + 3 * 114 + i]);
        }
    }
}

TEST_P(DominantEigenvectorsOn, ArraysOfOtherShapesAreRefused) {
    const CoilMatrixField field(2, {0, 0, 0});
    const TrigonometricField images(2, {0, 0, 0}, TrigonometricField::Sign::plus);
    const std::vector<cfloat> reference(2, 1.0F);
    const CoilMatrices matrices{field, images, reference, {4, 3, 2}};
    const Shape planes = Shape::image({4, 3, 1});
    Array vectors(*backend_, planes.with_axis("coil", 2), Precision::single);
    Array found(*backend_, planes, Precision::single);
    const ImagePrimitives& primitives = backend_->image_primitives();
    EXPECT_NO_THROW(primitives.dominant_eigenvectors(matrices, 0, 1, vectors, found));
    EXPECT_THROW(primitives.dominant_eigenvectors(matrices, 0, 2, vectors, found), ShapeError);
    EXPECT_THROW(primitives.dominant_eigenvectors(matrices, 1, 0, vectors, found), ShapeError);
    Array wide(*backend_, planes, Precision::double_);
    EXPECT_THROW(primitives.dominant_eigenvectors(matrices, 0, 0, vectors, wide), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, DominantEigenvectorsOn, test::every_backend());

}  // namespace
}  // namespace recon
