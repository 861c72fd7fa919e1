#include "core/mri/coils/coil_matrix_field.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/fourier/voxel_grid.hpp"
#include "core/processor/cpu_level.hpp"
#include "tests/support/at_cpu_level.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

class CoilMatrixFieldAtLevel : public test::AtCpuLevel {};

template <class Function>
void for_each_degree(const PerAxis<Index>& degree, Function&& function) {
    for (Index z = -degree[2]; z <= degree[2]; ++z) {
        for (Index y = -degree[1]; y <= degree[1]; ++y) {
            for (Index x = -degree[0]; x <= degree[0]; ++x) {
                function(PerAxis<Index>{x, y, z});
            }
        }
    }
}

TrigonometricField random_field(Index components, const PerAxis<Index>& degree, TrigonometricField::Sign sign) {
    TrigonometricField field(components, degree, sign);
    unsigned seed = 1;
    for_each_degree(degree, [&](const PerAxis<Index>& q) {
        const std::vector<cdouble> values = test::random_values(components, seed++);
        std::copy(values.begin(), values.end(), field.coefficients(q));
    });
    return field;
}

/// Of the coefficients and a sign, by the definition.
cdouble value_of(const TrigonometricField& field, double sign, Index component, const PerAxis<double>& position) {
    cdouble sum = 0;
    for_each_degree(field.degree(), [&](const PerAxis<Index>& q) {
        double turns = 0;
        for (int axis = 0; axis < 3; ++axis) {
            turns += static_cast<double>(q[axis]) * position[axis];
        }
        sum += cdouble(field.coefficients(q)[component]) * std::polar(1.0, sign * 2 * pi * turns);
    });
    return sum;
}

PerAxis<double> position_of(const PerAxis<Index>& matrix, Index x, Index y, Index z) {
    const VoxelGrid grid = VoxelGrid::image(matrix);
    return {grid.position(0, x), grid.position(1, y), grid.position(2, z)};
}

TEST_P(CoilMatrixFieldAtLevel, RowsAreTheSumsOfTheDefinition) {
    const PerAxis<Index> matrix{19, 6, 5};
    constexpr Index components = 3;
    for (const auto& [sign, factor] :
         {std::pair{TrigonometricField::Sign::plus, 1.0}, {TrigonometricField::Sign::minus, -1.0}}) {
        const TrigonometricField field = random_field(components, {4, 2, 3}, sign);
        TrigonometricField::Rows rows(field, matrix);
        std::vector<cfloat> values;
        // a plane that was left and another one of the same y
        for (const auto& [y, z] : {std::pair<Index, Index>{0, 0}, {5, 0}, {5, 3}, {1, 4}, {2, 0}}) {
            rows.evaluate(y, z, values);
            ASSERT_EQ(static_cast<Index>(values.size()), matrix[0] * components);
            for (Index x = 0; x < matrix[0]; ++x) {
                for (Index c = 0; c < components; ++c) {
                    const cdouble expected = value_of(field, factor, c, position_of(matrix, x, y, z));
                    EXPECT_LT(std::abs(cdouble(values[c * matrix[0] + x]) - expected), 1e-4)
                        << x << " " << y << " " << z;
                }
            }
        }
    }
}

/// A field of constant matrices V diag V^H, whose eigenvectors are known, seen by images of every direction.
TEST_P(CoilMatrixFieldAtLevel, DominantEigenvectorsAreThoseOfTheMatrix) {
    for (const Index coils : {1, 2, 5, 9}) {
        const Eigen::Map<const Eigen::MatrixXcd> random(test::random_values(coils * coils, 7).data(), coils, coils);
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
        const TrigonometricField images = random_field(coils, {1, 1, 1}, TrigonometricField::Sign::plus);
        const std::vector<cdouble> reference = test::random_values(coils, 9);
        const Index last = coils - 1;
        const PerAxis<Index> size{21, 3, 2};
        const DominantEigenvectors found = dominant_eigenvectors(field, images, reference, size, {last, 1});
        const cdouble along = Eigen::Map<const Eigen::VectorXcd>(reference.data(), coils).dot(dominant);
        for (Index voxel = 0; voxel < 21 * 3 * 2; ++voxel) {
            EXPECT_NEAR(found.eigenvalues[voxel], 0.9, 1e-5);
            const cdouble expected = std::conj(along) / std::abs(along) * dominant[last];
            EXPECT_LT(std::abs(cdouble(found.vectors[voxel]) - expected), 1e-4) << coils << " coils, voxel " << voxel;
            cdouble of_image = 0;
            for (Index c = 0; c < coils; ++c) {
                of_image += std::conj(dominant[c]) *
                            value_of(images, 1, c, position_of(size, voxel % 21, voxel / 21 % 3, voxel / 63));
            }
            EXPECT_NEAR(found.energies[voxel], std::norm(of_image), 2e-3 * (1 + std::norm(of_image)));
        }
    }
}

/// Voxels are computed beside each other: their bits must not tell which ones, and where nothing is, nothing is found.
TEST_P(CoilMatrixFieldAtLevel, VoxelsDoNotSeeTheirNeighbours) {
    CoilMatrixField field(3, {2, 0, 0});
    const TrigonometricField coefficients = random_field(6, {1, 0, 0}, TrigonometricField::Sign::minus);
    for (Index pair = 0; pair < 6; ++pair) {  // Hermitian: C(-q) is C(q)^H
        field.pairs.coefficients({0, 0, 0})[pair] = coefficients.coefficients({0, 0, 0})[pair].real();
        field.pairs.coefficients({1, 0, 0})[pair] = coefficients.coefficients({1, 0, 0})[pair];
        field.pairs.coefficients({-1, 0, 0})[pair] = std::conj(coefficients.coefficients({1, 0, 0})[pair]);
    }
    const TrigonometricField images = random_field(3, {1, 0, 0}, TrigonometricField::Sign::plus);
    const std::vector<cdouble> reference(3, 1.0);
    // every second position of 40 voxels is one of 20
    const DominantEigenvectors fine = dominant_eigenvectors(field, images, reference, {40, 1, 1}, {0, 3});
    const DominantEigenvectors coarse = dominant_eigenvectors(field, images, reference, {20, 1, 1}, {0, 3});
    for (Index x = 0; x < 20; ++x) {
        EXPECT_FLOAT_EQ(fine.eigenvalues[2 * x], coarse.eigenvalues[x]);
    }
    const TrigonometricField nothing(3, {0, 0, 0}, TrigonometricField::Sign::plus);
    const DominantEigenvectors none = dominant_eigenvectors(field, nothing, reference, {20, 1, 1}, {0, 3});
    for (const cfloat value : none.vectors) {
        EXPECT_EQ(value, cfloat(0));
    }
}

INSTANTIATE_TEST_SUITE_P(, CoilMatrixFieldAtLevel, test::every_cpu_level(),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace recon
