#include "core/base/number_text.hpp"

#include <gtest/gtest.h>

namespace recon {
namespace {

TEST(NumberText, OneIsSingular) {
    EXPECT_EQ(counted(1, "coil"), "1 coil");
    EXPECT_EQ(counted(0, "coil"), "0 coils");
    EXPECT_EQ(counted(12, "other reading"), "12 other readings");
}

TEST(NumberText, ZeroHasNoSign) {
    EXPECT_EQ(fmt::format("{:.1f}", rounded(-0.04, 1)), "0.0");
    EXPECT_EQ(fmt::format("{:.4g}", rounded(-1e-17, 4)), "0");
    EXPECT_EQ(fmt::format("{:.4g}", rounded(-0.0, 4)), "0");
    EXPECT_EQ(fmt::format("{:.4g}", rounded(-12.34567, 4)), "-12.35");
}

}  // namespace
}  // namespace recon
