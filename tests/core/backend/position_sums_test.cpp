#include <gtest/gtest.h>
#include <omp.h>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "tests/support/sums/position_sums_cases.hpp"

namespace recon {
namespace {

using test::PositionSumsCase;
using test::PositionSumsData;

/// Single: a phase is the sum of three rests of at most half a turn, 1e-7 turns or 6e-7 radians at worst and half of
/// that on average; chunks of 512 add in vector lanes, 64 additions each. Double: the same, 5e8 times smaller.
double tolerance(Precision precision) { return precision == Precision::single ? 1e-6 : 2e-15; }

class PositionSumsOnCpu : public ::testing::TestWithParam<PositionSumsCase> {
protected:
    std::unique_ptr<Backend> backend = make_cpu_backend();
    PositionSumsData data{GetParam()};
    Precision precision = GetParam().precision;
};

TEST_P(PositionSumsOnCpu, AgreeWithTheDirectSums) {
    const auto expected = direct_adjoint(data.trajectory, data.positions, data.samples);
    EXPECT_LT(test::relative_difference(test::position_sums(*backend, data, precision), expected),
              tolerance(precision));
}

TEST_P(PositionSumsOnCpu, AreLinear) {
    const cdouble alpha(0.7, -1.3);
    PositionSumsData other = data;
    other.samples = test::random_values(data.trajectory.sample_count(), 24);
    PositionSumsData combined = data;
    for (std::size_t m = 0; m < data.samples.size(); ++m) {
        combined.samples[m] += alpha * other.samples[m];
    }
    std::vector<cdouble> expected = test::position_sums(*backend, data, precision);
    const std::vector<cdouble> of_other = test::position_sums(*backend, other, precision);
    for (std::size_t n = 0; n < expected.size(); ++n) {
        expected[n] += alpha * of_other[n];
    }
    EXPECT_LT(test::relative_difference(test::position_sums(*backend, combined, precision), expected),
              4 * tolerance(precision));
}

TEST_P(PositionSumsOnCpu, GiveTheSameBytesWithAnyNumberOfThreads) {
    const int usual = omp_get_max_threads();
    omp_set_num_threads(1);
    const auto one = test::position_sums(*backend, data, precision);
    omp_set_num_threads(7);
    const auto seven = test::position_sums(*backend, data, precision);
    omp_set_num_threads(usual);
    EXPECT_EQ(one, seven);
}

INSTANTIATE_TEST_SUITE_P(, PositionSumsOnCpu, ::testing::ValuesIn(test::position_sums_cases()),
                         ::testing::PrintToStringParamName());

// All weights positive, as for Q: an error of the mean factor would grow with the number of samples.
TEST(PositionSums, HoldForAMillionSamples) {
    const auto backend = make_cpu_backend();
    PositionSumsData data({1000000, 101, Precision::single});
    data.samples.assign(1000000, 1.0);
    const auto expected = direct_adjoint(data.trajectory, data.positions, data.samples);
    EXPECT_LT(test::relative_difference(test::position_sums(*backend, data, Precision::single), expected), 1e-6);
}

TEST(PositionSums, RefuseOperandsThatDoNotFit) {
    const auto backend = make_cpu_backend();
    const PositionSumsData data({5, 3, Precision::single});
    const auto sums = backend->make_position_sums(data.trajectory, data.positions, Precision::single);
    Array samples(*backend, Shape::samples(5), Precision::single);
    Array result(*backend, {{"position", 3}}, Precision::single);
    Array in_double(*backend, {{"position", 3}}, Precision::double_);
    EXPECT_NO_THROW(sums->adjoint(samples, result));
    EXPECT_THROW(sums->adjoint(result, samples), ShapeError);
    EXPECT_THROW(sums->adjoint(samples, in_double), ShapeError);
    Trajectory uneven = data.trajectory;
    uneven.k[1].pop_back();
    EXPECT_THROW(backend->make_position_sums(uneven, data.positions, Precision::single), ShapeError);
}

}  // namespace
}  // namespace recon
