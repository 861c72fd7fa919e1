#include "core/fourier/decay_factors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/fourier/turn_code.hpp"

namespace recon {
namespace {

TEST(DecayFactors, AreTheExponential) {
    for (double x = -20; x < 80; x += 0.0137) {
        // Single: the exponent, up to 115, is rounded to 24 bits: 4e-6 of the result there, 1e-7 near zero.
        const auto in_single = static_cast<float>(x);
        EXPECT_NEAR(decay_factor(in_single) / std::exp(-static_cast<double>(in_single)), 1, 1.5e-7 * (1 + std::abs(x)));
        EXPECT_NEAR(decay_factor(x) / std::exp(-x), 1, 4e-16 * (1 + std::abs(x)));
    }
    EXPECT_EQ(decay_factor(0.0F), 1.0F);
    EXPECT_EQ(decay_factor(0.0), 1.0);
}

TEST(DecayFactors, EndInTinyNumbersRatherThanInNonsense) {
    EXPECT_LT(decay_factor(1e6F), 1e-35F);
    EXPECT_GE(decay_factor(1e6F), 0.0F);
    EXPECT_LT(decay_factor(1e9), 1e-300);
    EXPECT_GE(decay_factor(1e9), 0.0);
}

TEST(TurnCode, CountsTurnsModuloOne) {
    EXPECT_EQ(turn_code(0.25), 0x40000000U);
    EXPECT_EQ(turn_code(-0.25), 0xC0000000U);
    EXPECT_EQ(turn_code(7.25), turn_code(0.25));
    EXPECT_EQ(turn_code(0.5), 0x80000000U);
    EXPECT_EQ(turn_code(-0.5), 0x80000000U);
    EXPECT_EQ(turn_code(0.1) * 10U - turn_code(1.0), turn_code(0.1) * 10U);
}

}  // namespace
}  // namespace recon
