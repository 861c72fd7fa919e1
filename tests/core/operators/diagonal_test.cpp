#include "core/operators/diagonal.hpp"

#include "core/backend/backend.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/operator_properties.hpp"

namespace recon {
namespace {

const Shape diagonal_shape = Shape::image({7, 5, 3});
constexpr double diagonal_rounding = 1e-13;  // tens of operations in double

using DiagonalOnEveryBackend = test::EveryBackend;

TEST_P(DiagonalOnEveryBackend, MultipliesVoxelByVoxel) {
    const Array values = test::random_array(*backend_, diagonal_shape, Precision::double_, 2);
    const Diagonal diagonal(values.clone());
    EXPECT_LT(test::adjoint_error(diagonal), diagonal_rounding);
    EXPECT_LT(test::linearity_error(diagonal), diagonal_rounding);
    EXPECT_LT(test::normal_error(diagonal), diagonal_rounding);
    const Array x = test::random_array(*backend_, diagonal_shape, Precision::double_, 1);
    Array y(*backend_, diagonal_shape, Precision::double_);
    diagonal.forward(x, y);
    const std::vector<cdouble> d = download<double>(values), before = download<double>(x), after = download<double>(y);
    for (std::size_t i = 0; i < after.size(); ++i) {
        EXPECT_NEAR(std::abs(after[i] - d[i] * before[i]), 0, diagonal_rounding);
    }
}

INSTANTIATE_TEST_SUITE_P(, DiagonalOnEveryBackend, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
