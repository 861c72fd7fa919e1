#include "core/mri/check/image/field_of_view.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace recon {
namespace {

constexpr PerAxis<Index> border_matrix{32, 24, 1};

/// Ones where x is from first_x to last_x, and y in the middle half.
std::vector<cfloat> bar(Index first_x, Index last_x) {
    std::vector<cfloat> image(static_cast<std::size_t>(border_matrix[0] * border_matrix[1]));
    for (Index y = border_matrix[1] / 4; y < 3 * border_matrix[1] / 4; ++y) {
        for (Index x = first_x; x <= last_x; ++x) {
            image[static_cast<std::size_t>(y * border_matrix[0] + x)] = 1;
        }
    }
    return image;
}

Trajectory between_cycles() {
    Trajectory trajectory;
    for (int m = 0; m < 200; ++m) {
        trajectory.k[0].push_back(0.13 * m - 13);
        trajectory.k[1].push_back(11.3 - 0.11 * m);
        trajectory.k[2].push_back(0);
    }
    return trajectory;
}

Trajectory on_cycles() {
    Trajectory trajectory = between_cycles();
    for (std::vector<double>& k : trajectory.k) {
        for (double& cycles : k) {
            cycles = std::round(cycles);
        }
    }
    return trajectory;
}

TEST(FieldOfView, AnObjectThatReachesItsBorderIsToldWithTheAxis) {
    const std::vector<CheckFinding> findings = judge_border(bar(0, 31), border_matrix, between_cycles(), " of frame 2");
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].kind, "field_of_view");
    EXPECT_NE(findings[0].text.find("the object of frame 2 reaches the border of the field of view along x:"),
              std::string::npos)
        << findings[0].text;
}

TEST(FieldOfView, AnObjectThatEndsWithinItIsNot) {
    EXPECT_TRUE(judge_border(bar(1, 30), border_matrix, between_cycles()).empty());
}

TEST(FieldOfView, WholeCyclesDoNotSeeTheBorder) {
    EXPECT_TRUE(judge_border(bar(0, 31), border_matrix, on_cycles()).empty());
}

TEST(FieldOfView, NothingIsSaidOfNoImage) { EXPECT_TRUE(judge_border({}, border_matrix, between_cycles()).empty()); }

}  // namespace
}  // namespace recon
