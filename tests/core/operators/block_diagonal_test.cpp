#include "core/operators/block_diagonal.hpp"

#include <gtest/gtest.h>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "tests/support/dense_operator.hpp"
#include "tests/support/operator_properties.hpp"

namespace recon {
namespace {

Eigen::MatrixXcd random_block(Index rows, Index columns, unsigned seed) {
    const std::vector<cdouble> values = test::random_values(rows * columns, seed);
    return Eigen::Map<const Eigen::MatrixXcd>(values.data(), rows, columns);
}

TEST(BlockDiagonal, AppliesEachBlockToItsFrame) {
    const auto backend = make_cpu_backend(1);
    const test::DenseOperator a(*backend, random_block(3, 5, 1));
    const test::DenseOperator b(*backend, random_block(3, 5, 2));
    const BlockDiagonal both({&a, &b, &a});
    EXPECT_EQ(both.domain().text(), "[column 5, frame 3]");
    EXPECT_EQ(both.codomain().text(), "[row 3, frame 3]");
    EXPECT_LT(test::adjoint_error(both), 1e-13);
    EXPECT_LT(test::linearity_error(both), 1e-13);
    EXPECT_LT(test::normal_error(both), 1e-13);
    const Array x = test::random_array(*backend, both.domain(), Precision::double_, 3);
    Array y(*backend, both.codomain(), Precision::double_);
    Array of_frame(*backend, a.codomain(), Precision::double_);
    both.forward(x, y);
    b.forward(x.slice(1), of_frame);
    EXPECT_EQ(download<double>(y.slice(1)), download<double>(of_frame));
}

TEST(BlockDiagonal, RefusesBlocksThatDiffer) {
    const auto backend = make_cpu_backend(1);
    const test::DenseOperator a(*backend, random_block(3, 5, 1));
    const test::DenseOperator b(*backend, random_block(4, 5, 2));
    EXPECT_THROW(BlockDiagonal({&a, &b}), ShapeError);
    EXPECT_THROW(BlockDiagonal({}), ShapeError);
}

}  // namespace
}  // namespace recon
