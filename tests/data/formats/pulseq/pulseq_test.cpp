#include <gtest/gtest.h>

#include <fstream>

#include "core/base/error.hpp"
#include "data/reading/trajectory_file.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class PulseqTest : public ::testing::Test {
protected:
    /// A pulse of 0.1 ms, then x: a trapezoid of 1000 Hz/m with ramps of 10 us and a top of 80 us, with y as a shape.
    std::string sequence = R"(# Pulseq sequence file
[VERSION]
major 1
minor 4
revision 1

[DEFINITIONS]
GradientRasterTime 1e-05
BlockDurationRaster 1e-05
RadiofrequencyRasterTime 1e-06

[BLOCKS]
1 10 1 0 0 0 0 0
2 10 0 1 2 0 1 0
3 10 0 0 0 0 1 0

[RF]
1 2500 1 2 0 0 0 0

[GRADIENTS]
2 100 3 0 0

[TRAP]
1 1000 10 80 10 0

[ADC]
1 4 25000 0 0 0

[SHAPES]

shape_id 1
num_samples 100
1
0
0
97

shape_id 2
num_samples 2
0
0

shape_id 3
num_samples 10
1
0
0
7
)";
    void SetUp() override { write(sequence); }
    void write(const std::string& text) const { std::ofstream(path) << text; }
    void expect_refusal(const std::string& from, const std::string& to, const std::vector<std::string>& parts) const {
        std::string changed = sequence;
        const std::size_t at = changed.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        changed.replace(at, from.size(), to);
        write(changed);
        test::expect_error<InputError>([&] { read_trajectory(path); }, parts);
    }
    test::TemporaryFolder folder;
    std::string path = folder / "sequence.seq";
};

TEST_F(PulseqTest, GradientsAreIntegrated) {
    const StoredTrajectory trajectory = read_trajectory(path);
    EXPECT_EQ(trajectory.unit, TrajectoryUnit::cycles_per_metre);
    EXPECT_EQ(trajectory.samples_per_readout, 4);
    ASSERT_EQ(trajectory.frames.size(), 1);
    const auto& k = trajectory.frames[0]->k;
    ASSERT_EQ(k[0].size(), 8);
    // Samples at 12.5, 37.5, 62.5 and 87.5 us; the ramp has 0.005 / m by 10 us.
    EXPECT_NEAR(k[0][0], 0.005 + 0.0025, 1e-9);
    EXPECT_NEAR(k[0][3], 0.005 + 0.0775, 1e-9);
    EXPECT_NEAR(k[0][4], 0.09, 1e-9) << "it stays where the gradient left it";
    EXPECT_NEAR(k[1][1], 100 * 37.5e-6, 1e-9) << "a constant shape, to the edges of the raster";
    EXPECT_EQ(k[2][7], 0);
}

/// By 90 degrees about z, x becomes y and y becomes -x, in the second block alone.
TEST_F(PulseqTest, BlocksAreRotated) {
    const std::string block = "2 10 0 1 2 0 1 0", turned = "2 10 0 1 2 0 1 2";
    sequence.replace(sequence.find(block), block.size(), turned);
    const std::string extensions =
        "[EXTENSIONS]\n1 7 4 0\n2 5 3 1\n\nextension LABELSET 7\n4 1 LIN\nextension ROTATIONS 5\n"
        "3 0.70710678118 0 0 0.70710678118\n\n";
    sequence.insert(sequence.find("[SHAPES]"), extensions);
    write(sequence);
    const StoredTrajectory trajectory = read_trajectory(path);
    const auto& k = trajectory.frames[0]->k;
    EXPECT_NEAR(k[0][1], -100 * 37.5e-6, 1e-9);
    EXPECT_NEAR(k[1][0], 0.005 + 0.0025, 1e-9);
    EXPECT_NEAR(k[1][4], 0.09, 1e-9) << "it stays where the gradient left it";
    EXPECT_NEAR(k[2][7], 0, 1e-12);

    expect_refusal("3 0.70710678118 0 0", "3 0.9 0 0", {"a quaternion of length 1"});
    expect_refusal("2 5 3 1", "2 5 4 1", {"one rotation a block, which is there"});
    expect_refusal("2 5 3 1", "2 5 3 9", {"an extension that is there to go on with"});
    expect_refusal("1 7 4 0", "1 7 4 1", {"at most 100 extensions"});
}

TEST_F(PulseqTest, DamageIsRefusedByItsLine) {
    expect_refusal("minor 4", "minor 2", {path, "1.2", "1.4 or 1.5"});
    expect_refusal("GradientRasterTime 1e-05", "", {"GradientRasterTime is missing"});
    expect_refusal("2 10 0 1 2 0 1 0", "2 10 0 1 9 0 1 0", {"line 14", "word 5; 9 is not"});
    expect_refusal("2 10 0 1 2 0 1 0", "2 10 0 1 2 x 1 0", {"line 14", "a whole number as word 6"});
    expect_refusal("1 4 25000 0 0 0", "1 4 0 0 0 0", {"dwell time above 0"});
    expect_refusal("num_samples 10\n1\n0\n0\n7", "num_samples 10\n1\n0\n0\n5", {"shape 3 to have 10 values; it has 8"});
    expect_refusal("num_samples 10", "num_samples 99999999999", {"samples"});
    expect_refusal("2 10 0 1 2 0 1 0\n3 10 0 0 0 0 1 0", "2 10 0 1 2 0 0 0", {"no readouts"});
}

TEST_F(PulseqTest, TheFieldOfViewIsThatOfTheDefinitions) {
    const auto field_of_view_mm = [&](const std::string& line) {
        std::string text = sequence;
        text.replace(text.find("GradientRasterTime"), 0, line + "\n");
        const std::string path = folder / "sequence.seq";
        std::ofstream(path) << text;
        return read_trajectory(path).field_of_view_mm;
    };
    EXPECT_EQ(field_of_view_mm("Name x"), (PerAxis<double>{0, 0, 0}));
    EXPECT_EQ(field_of_view_mm("FOV 0.25 0.125 0.5"), (PerAxis<double>{250, 125, 500}));
    EXPECT_EQ(field_of_view_mm("FOV 250 125 3"), (PerAxis<double>{0, 0, 0})) << "not in m";
}

/// Two slices, of which each has its readouts by its label: in the file they alternate, and a navigator lies between.
TEST_F(PulseqTest, LabelsTellWhichFrameAReadoutIsOf) {
    const std::string blocks = R"([BLOCKS]
1 10 1 0 0 0 0 0
2 10 0 1 0 0 1 1
3 10 1 0 0 0 0 0
4 10 0 0 2 0 1 2
5 10 1 0 0 0 0 0
6 10 0 1 0 0 1 3
7 10 1 0 0 0 0 0
8 10 0 1 2 0 1 4
)";
    const std::string extensions = R"([EXTENSIONS]
1 1 1 0
2 2 1 0
3 1 2 0
4 1 1 5
5 1 3 0
extension LABELSET 1
1 1 SLC
2 1 NAV
3 0 NAV
extension LABELINC 2
1 -1 SLC
)";
    std::string labelled = sequence;
    const std::size_t begin = labelled.find("[BLOCKS]"), end = labelled.find("\n[RF]");
    labelled.replace(begin, end - begin, blocks + "\n" + extensions);
    write(labelled);
    const StoredTrajectory whole = read_trajectory(path);
    ASSERT_EQ(whole.frames.size(), 1U);
    EXPECT_EQ(whole.frames[0]->sample_count(), 12) << "without the navigator";
    EXPECT_EQ(whole.divided(1, 12, true).frames.size(), 1U);
    EXPECT_EQ(whole.divided(2, 12, true).frames.size(), 1U) << "one for all frames";
    const StoredTrajectory uneven = whole.divided(2, 6, true);
    EXPECT_EQ(uneven.frames.size(), 1U) << "slice 0 has 4 samples, slice 1 has 8";

    std::string even = labelled;
    even.replace(even.find("8 10 0 1 2 0 1 4"), 16, "8 10 0 1 2 0 1 6");
    even.replace(even.find("extension LABELSET"), 0, "6 1 3 7\n7 1 4 0\n");
    even.replace(even.find("3 0 NAV\n"), 8, "3 0 NAV\n4 2 SLC\n");
    write(even);
    const StoredTrajectory slices = read_trajectory(path).divided(3, 4, false);
    ASSERT_EQ(slices.frames.size(), 3U);
    const std::vector<double>&kx0 = slices.frames[0]->k[0], &kx1 = slices.frames[1]->k[0],
          &kx2 = slices.frames[2]->k[0];
    EXPECT_EQ(kx0, std::vector<double>(4, 0.0)) << "slice 0 is read along y";
    EXPECT_GT(kx1.back(), 0) << "slice 1 came first";
    EXPECT_EQ(slices.frames[1]->k[1], std::vector<double>(4, 0.0));
    EXPECT_EQ(kx2, kx1);
    EXPECT_GT(slices.frames[2]->k[1].back(), 0);
}

TEST_F(PulseqTest, FramesWithoutLabelsFollowEachOther) {
    const StoredTrajectory whole = read_trajectory(path);
    ASSERT_EQ(whole.frames[0]->sample_count(), 8);
    EXPECT_EQ(whole.divided(2, 4, false).frames.size(), 1U) << "nobody knows";
    const StoredTrajectory divided = whole.divided(2, 4, true);
    ASSERT_EQ(divided.frames.size(), 2U);
    for (std::size_t s = 0; s < 8; ++s) {
        EXPECT_EQ(divided.frames[s / 4]->k[0][s % 4], whole.frames[0]->k[0][s]);
    }
}

TEST_F(PulseqTest, LabelsThatAreNotThereAreRefused) {
    expect_refusal("[RF]", "[EXTENSIONS]\n1 1 7 0\nextension LABELSET 1\n1 1 SLC\n\n[RF]", {"change of a label"});
    expect_refusal("[RF]", "[EXTENSIONS]\n1 1 1 0\nextension LABELSET 1\n1 SLC\n\n[RF]",
                   {"a number, a value and a label"});
}

}  // namespace
}  // namespace recon
