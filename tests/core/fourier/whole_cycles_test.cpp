#include "core/fourier/whole_cycles.hpp"

#include <gtest/gtest.h>

namespace recon {
namespace {

TEST(WholeCycles, AreLeftByRadialsAndNotByCartesianLines) {
    std::vector<double> lines, oversampled, nearly;
    for (int m = 0; m < 10000; ++m) {
        lines.push_back(m % 64 - 32);
        oversampled.push_back(0.5 * (m % 128) - 32);
        nearly.push_back(m % 64 - 32 + (m % 20 == 0 ? 0.3 : 0.01));
    }
    EXPECT_FALSE(lies_off_whole_cycles(lines));
    EXPECT_TRUE(lies_off_whole_cycles(oversampled));
    EXPECT_FALSE(lies_off_whole_cycles(nearly));
    EXPECT_FALSE(lies_off_whole_cycles({}));
}

}  // namespace
}  // namespace recon
