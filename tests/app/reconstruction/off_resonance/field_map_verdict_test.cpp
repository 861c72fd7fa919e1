#include "app/reconstruction/off_resonance/field_map_verdict.hpp"

#include <gtest/gtest.h>

namespace recon {
namespace {

struct Figures {
    double residual, sharpness;
};

FieldMapVerdict judged(bool begins_at_centre, Figures given, Figures opposite, Figures none) {
    FieldMapVerdict verdict{{48, 48, 1}, 8, begins_at_centre, 0, {}, ""};
    const auto trial = [](double factor, Figures figures) {
        return FieldMapTrial{"", factor, figures.residual, figures.sharpness};
    };
    verdict.trials = {trial(1, given), trial(-1, opposite), trial(0, none), trial(0.16, none)};
    judge(verdict);
    return verdict;
}

TEST(FieldMapVerdict, TheSharpnessSaysNothingWhereTheResidualIsClear) {
    // The shared spiral scan: the sharper image is the one that is distorted.
    EXPECT_FALSE(judged(true, {0.2590, 9.40}, {0.2756, 10.45}, {0.2622, 9.92}).is_unlikely);
    EXPECT_TRUE(judged(true, {0.2590, 9.40}, {0.2592, 10.45}, {0.2591, 9.92}).is_unlikely);
    EXPECT_FALSE(judged(true, {0.2590, 9.40}, {0.2756, 10.45}, {0.2589, 9.92}).is_unlikely)
        << "better than the opposite, if no better than none";
}

TEST(FieldMapVerdict, TheOrderAloneMakesAMapUnlikelyByHoweverLittle) {
    EXPECT_TRUE(judged(true, {0.1, 2.559}, {0.1, 2.573}, {0.1, 2.569}).is_unlikely);
    EXPECT_FALSE(judged(true, {0.1, 2.573}, {0.1, 2.559}, {0.1, 2.569}).is_unlikely);
    EXPECT_TRUE(judged(false, {0.1002, 2}, {0.1000, 2}, {0.1001, 2}).is_unlikely);
    EXPECT_FALSE(judged(false, {0.1002, 2}, {0.1000, 2}, {0.1003, 2}).is_unlikely);
    EXPECT_EQ(judged(false, {0.1002, 2}, {0.1000, 2}, {0.1001, 2}).warning, "");
    EXPECT_FALSE(judged(false, {0.10002, 2}, {0.1, 2}, {0.10001, 2}).is_unlikely) << "noise";
}

TEST(FieldMapVerdict, SaysNothingOfMapsThatMoveVoxels) {
    FieldMapVerdict verdict;
    verdict.times_along_k = 0.99;
    judge(verdict);
    EXPECT_EQ(verdict.warning, "");
    EXPECT_FALSE(verdict.sign_is_told || verdict.is_unlikely);
}

}  // namespace
}  // namespace recon
