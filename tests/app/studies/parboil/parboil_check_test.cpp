#include "app/studies/parboil/parboil_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/base/error.hpp"

namespace recon {
namespace {

// The rule of Parboil's tools/compare-output, with numbers on either side of both of its bounds.
TEST(ParboilCheck, TakesAPartOfTheLargestOrOfEach) {
    const std::vector<cfloat> expected{{1000, 0}, {1, 0}, {100, 0}, {0, 10}};
    const auto wrong = [&](std::size_t n, cfloat found) {
        std::vector<cfloat> values = expected;
        values[n] = found;
        return check_as_parboil(values, expected).wrong_count;
    };
    EXPECT_EQ(check_as_parboil(expected, expected).wrong_count, 0);
    EXPECT_EQ(wrong(1, {1.09F, 0}), 0);    // below 1e-4 of 1000
    EXPECT_EQ(wrong(1, {1.11F, 0}), 1);    // above it, and above 0.2 % of 1
    EXPECT_EQ(wrong(2, {100.19F, 0}), 0);  // below 0.2 % of 100
    EXPECT_EQ(wrong(2, {100.21F, 0}), 1);
    EXPECT_EQ(wrong(3, {0, 10.019F}), 0);  // imaginary parts by their own largest number
    EXPECT_EQ(wrong(3, {0, 10.021F}), 1);
    EXPECT_EQ(wrong(1, {1, 0.0011F}), 1);
    EXPECT_EQ(wrong(1, {std::numeric_limits<float>::quiet_NaN(), 0}), 1);
}

TEST(ParboilCheck, MeasuresTheDifference) {
    const std::vector<cfloat> expected{{3, 0}, {0, 4}};
    const ParboilCheck check = check_as_parboil(std::vector<cfloat>{{3, 0.25F}, {0.5F, 4}}, expected);
    EXPECT_DOUBLE_EQ(check.largest_difference, 0.5);
    EXPECT_DOUBLE_EQ(check.largest_expected, 4);
    EXPECT_DOUBLE_EQ(check.relative_difference, std::sqrt(0.0625 + 0.25) / 5);
    EXPECT_EQ(check.number_count, 4);
    EXPECT_FALSE(check.passed());
}

TEST(ParboilCheck, RefusesOtherLengths) {
    EXPECT_THROW(check_as_parboil(std::vector<cfloat>(3), std::vector<cfloat>(4)), InputError);
}

}  // namespace
}  // namespace recon
