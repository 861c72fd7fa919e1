#include "core/fourier/reduced_turns.hpp"

#include <gtest/gtest.h>

#include <random>

namespace recon {
namespace {

template <class T>
void expect_one_rounding(T range) {
    std::mt19937 random(3);
    std::uniform_real_distribution<T> uniform(-range, range);
    for (int i = 0; i < 10'000; ++i) {
        const T a = uniform(random), b = uniform(random);
        ASSERT_EQ(reduced_turns(a, b), std::fma(a, b, -std::rint(a * b))) << a << " " << b;
    }
}

TEST(ReducedTurns, AreRoundedOnce) {
    for (const double range : {1.0, 128.0, 30000.0}) {
        expect_one_rounding<double>(range);
    }
    expect_one_rounding<float>(1);
    expect_one_rounding<float>(100);
    EXPECT_EQ(reduced_turns(64.0, 0.5), 0);
    EXPECT_EQ(reduced_turns(0.1, 0.0), 0);
}

}  // namespace
}  // namespace recon
