#include "core/backend/white_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace recon {
namespace {

TEST(WhiteNoise, IsWhite) {
    const WhiteNoise stream(3), other(4);
    const auto at = [](const WhiteNoise& noise, Index i) {
        const auto [re, im] = noise.number<double>(i);
        return cdouble(re, im);
    };
    constexpr Index count = 20000;
    cdouble mean = 0, square = 0, neighbours = 0, streams = 0;
    for (Index i = 0; i < count; ++i) {
        const cdouble n = at(stream, i);
        EXPECT_DOUBLE_EQ(std::norm(n), 1);
        mean += n;
        square += n * n;
        neighbours += n * std::conj(at(stream, i + 1));
        streams += n * std::conj(at(other, i));
    }
    const double five_deviations = 5 * std::sqrt(static_cast<double>(count));
    for (const cdouble sum : {mean, square, neighbours, streams}) {
        EXPECT_LT(std::abs(sum), five_deviations);
    }
}

}  // namespace
}  // namespace recon
