#include "core/fourier/phase_factors.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <random>

#include "core/base/types.hpp"

namespace recon {
namespace {

/// exp(i 2 pi phase) by the C library in extended precision; the phase is reduced exactly.
std::complex<long double> reference(double phase) {
    const long double angle = 2 * 3.14159265358979323846264338327950288L *
                              (static_cast<long double>(phase) - std::round(static_cast<long double>(phase)));
    return {std::cos(angle), std::sin(angle)};
}

template <class T>
double worst_error(double range) {
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> phases(-range, range);
    double worst = 0;
    for (int i = 0; i < 200000; ++i) {
        const double phase = phases(generator);
        const auto [cosine, sine] = phase_factor<T>(phase);
        worst =
            std::max(worst, static_cast<double>(std::abs(std::complex<long double>(cosine, sine) - reference(phase))));
    }
    return worst;
}

TEST(PhaseFactors, AreWithinARoundingOfTheExactValueInSinglePrecision) {
    EXPECT_LT(worst_error<float>(1), 6e-8);
    EXPECT_LT(worst_error<float>(1e4), 6e-8);
}

TEST(PhaseFactors, AreWithinARoundingOfTheExactValueInDoublePrecision) {
    EXPECT_LT(worst_error<double>(1), 3e-16);
    EXPECT_LT(worst_error<double>(1e4), 3e-16);
}

TEST(PhaseFactors, AreExactAtQuarterTurns) {
    const PhaseFactor<double> zero = phase_factor<double>(0);
    EXPECT_EQ(zero.cosine, 1);
    EXPECT_EQ(zero.sine, 0);
    for (int quarter = -9; quarter <= 9; ++quarter) {
        const auto [cosine, sine] = phase_factor<double>(0.25 * quarter);
        const std::complex<long double> expected = reference(0.25 * quarter);
        EXPECT_NEAR(cosine, static_cast<double>(expected.real()), 2e-16) << quarter;
        EXPECT_NEAR(sine, static_cast<double>(expected.imag()), 2e-16) << quarter;
    }
}

}  // namespace
}  // namespace recon
