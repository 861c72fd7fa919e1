#include "core/operators/operator_algebra.hpp"

#include <gtest/gtest.h>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "tests/support/dense_operator.hpp"
#include "tests/support/operator_properties.hpp"

namespace recon {
namespace {

constexpr double rounding = 1e-13;  // some tens of additions in double

Eigen::MatrixXcd random_matrix(Index rows, Index columns, unsigned seed) {
    const std::vector<cdouble> values = test::random_values(rows * columns, seed);
    return Eigen::Map<const Eigen::MatrixXcd>(values.data(), rows, columns);
}

class OperatorAlgebra : public ::testing::Test {
protected:
    static void expect_equals_matrix(const LinearOperator& a, const Eigen::MatrixXcd& matrix) {
        const test::DenseOperator expected(a.backend(), matrix);
        const Array x = test::random_array(a.backend(), a.domain(), a.precision(), 11);
        Array ax(a.backend(), a.codomain(), a.precision());
        Array reference(a.backend(), expected.codomain(), a.precision());
        a.forward(x, ax);
        expected.forward(x, reference);
        EXPECT_LT(test::relative_difference(download<double>(ax), download<double>(reference)), rounding);
        EXPECT_LT(test::adjoint_error(a), 10 * rounding);
        EXPECT_LT(test::linearity_error(a), rounding);
        EXPECT_LT(test::normal_error(a), 10 * rounding);
    }

    std::unique_ptr<Backend> backend_ = make_cpu_backend(1);
    Eigen::MatrixXcd a_ = random_matrix(7, 5, 1);
    Eigen::MatrixXcd b_ = random_matrix(7, 5, 2);
    Eigen::MatrixXcd c_ = random_matrix(3, 7, 3);
    test::DenseOperator a_operator_{*backend_, a_};
    test::DenseOperator b_operator_{*backend_, b_};
    test::DenseOperator c_operator_{*backend_, c_};
};

TEST_F(OperatorAlgebra, CompositionIsTheProduct) {
    expect_equals_matrix(Composition(c_operator_, a_operator_), c_ * a_);
}

TEST_F(OperatorAlgebra, SumIsTheSum) { expect_equals_matrix(Sum(a_operator_, -0.25, b_operator_), a_ - 0.25 * b_); }

TEST_F(OperatorAlgebra, NormalIsAdjointTimesForward) { expect_equals_matrix(Normal(a_operator_), a_.adjoint() * a_); }

TEST_F(OperatorAlgebra, IdentityIsIdentity) {
    expect_equals_matrix(Identity(*backend_, {{"column", 6}}, Precision::double_), Eigen::MatrixXcd::Identity(6, 6));
}

TEST_F(OperatorAlgebra, WhatDoesNotFitTogetherIsRefused) {
    EXPECT_THROW(Composition(a_operator_, c_operator_), ShapeError);
    EXPECT_THROW(Sum(a_operator_, 1, c_operator_), ShapeError);
}

TEST_F(OperatorAlgebra, OperandsAreCheckedInOnePlaceWithAMessage) {
    const Array wrong = test::random_array(*backend_, {{"column", 4}}, Precision::double_, 1);
    Array y(*backend_, a_operator_.codomain(), Precision::double_);
    try {
        a_operator_.forward(wrong, y);
        FAIL() << "a vector of 4 went into a matrix of 5 columns";
    } catch (const ShapeError& error) {
        EXPECT_STREQ(error.what(), "matrix: forward input is [column 4], expected [column 5]");
    }
    Array single(*backend_, a_operator_.domain(), Precision::single);
    EXPECT_THROW(a_operator_.forward(single, y), ShapeError);
}

}  // namespace
}  // namespace recon
