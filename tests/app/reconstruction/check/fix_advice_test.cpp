#include "app/reconstruction/check/fix_advice.hpp"

#include <gtest/gtest.h>

namespace recon {
namespace {

std::string advice(const std::string& found, const std::string& applied) {
    return fix_advice(found, applied.empty() ? std::vector<ScanFix>() : parse_scan_fixes(applied));
}

TEST(FixAdvice, IsWhatToTypeInAll) {
    EXPECT_EQ(advice("", "conjugate"), "");
    EXPECT_EQ(advice("conjugate", ""), "`fix` conjugate");
    EXPECT_EQ(advice("mirror=x", "conjugate,swap=xy"), "`fix` conjugate,swap=xy,mirror=x");
    EXPECT_EQ(advice("mirror=x", "mirror=y"), "`fix` mirror=y,mirror=x");
    EXPECT_EQ(advice("shift=1", "shift=1"), "`fix` shift=1,shift=1");
}

TEST(FixAdvice, IsToLeaveOutWhatItWouldUndo) {
    EXPECT_EQ(advice("conjugate", "swap=xy,conjugate"), "leave out `fix` conjugate");
    EXPECT_EQ(advice("mirror=x", "mirror=x"), "leave out `fix` mirror=x");
    EXPECT_EQ(advice("shift=-1", "shift=1"), "leave out `fix` shift=1");
    EXPECT_EQ(advice("scale=2", "scale=0.5"), "leave out `fix` scale=0.5");
    EXPECT_EQ(advice("reverse=all", "reverse=all"), "leave out `fix` reverse=all");
}

}  // namespace
}  // namespace recon
