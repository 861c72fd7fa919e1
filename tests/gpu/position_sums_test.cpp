#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/support/sums/position_sums_cases.hpp"

namespace recon {
namespace {

using test::PositionSumsCase;
using test::PositionSumsData;

/// Single: phases as on the CPU (tests/core/backend/position_sums_test.cpp), and the hardware's sine and cosine within
/// 2^-21.
double tolerance(Precision precision) { return precision == Precision::single ? 2e-6 : 2e-15; }

class CudaPositionSums : public test::OnGpu<::testing::TestWithParam<PositionSumsCase>> {
protected:
    PositionSumsData data{GetParam()};
    Precision precision = GetParam().precision;
};

TEST_P(CudaPositionSums, AgreeWithTheDirectSums) {
    const auto expected = direct_adjoint(data.trajectory, data.positions, data.samples);
    EXPECT_LT(test::relative_difference(test::position_sums(gpu(), data, precision), expected), tolerance(precision));
}

TEST_P(CudaPositionSums, GiveTheSameBytesAgain) {
    EXPECT_EQ(test::position_sums(gpu(), data, precision), test::position_sums(gpu(), data, precision));
}

INSTANTIATE_TEST_SUITE_P(, CudaPositionSums, ::testing::ValuesIn(test::position_sums_cases()),
                         ::testing::PrintToStringParamName());

class CudaPositionSumsAccuracy : public test::OnGpu<> {};

// All weights positive, as for Q: an error of the mean factor would grow with the number of samples.
TEST_F(CudaPositionSumsAccuracy, HoldsForAMillionSamples) {
    PositionSumsData data({1000000, 101, Precision::single});
    data.samples.assign(1000000, 1.0);
    const auto expected = direct_adjoint(data.trajectory, data.positions, data.samples);
    const double error = test::relative_difference(test::position_sums(gpu(), data, Precision::single), expected);
    RecordProperty("error", std::to_string(error));
    EXPECT_LT(error, tolerance(Precision::single));
}

// Half a million turns: what is left after their reduction is still the float's own.
TEST_F(CudaPositionSumsAccuracy, HoldsFarFromTheOrigin) {
    PositionSumsData data({301, 203, Precision::single});
    for (double& r : data.positions.r[2]) {
        r = static_cast<float>(r * 40000);
    }
    const auto expected = direct_adjoint(data.trajectory, data.positions, data.samples);
    EXPECT_LT(test::relative_difference(test::position_sums(gpu(), data, Precision::single), expected),
              tolerance(Precision::single));
    for (double& r : data.positions.r[2]) {
        r *= 10;
    }
    EXPECT_THROW(test::position_sums(gpu(), data, Precision::single), InputError);
    EXPECT_LT(test::relative_difference(test::position_sums(gpu(), data, Precision::double_),
                                        direct_adjoint(data.trajectory, data.positions, data.samples)),
              tolerance(Precision::double_));
}

}  // namespace
}  // namespace recon
