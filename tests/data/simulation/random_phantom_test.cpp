#include "data/simulation/random_phantom.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/fourier/direct_sums.hpp"
#include "core/fourier/positions.hpp"

namespace recon {
namespace {

TEST(RandomPhantom, DependsOnTheSeedAlone) {
    const ParboilInput first = random_phantom({6, 5, 4}, 50, 7);
    const ParboilInput second = random_phantom({6, 5, 4}, 50, 7);
    const ParboilInput other = random_phantom({6, 5, 4}, 50, 8);
    EXPECT_EQ(first.k, second.k);
    EXPECT_EQ(first.kspace, second.kspace);
    EXPECT_NE(first.k, other.k);
    EXPECT_NE(first.kspace, other.kspace);
}

TEST(RandomPhantom, SamplesTheBandOfItsGrid) {
    const ParboilInput input = random_phantom({16, 9, 1}, 4000, 1);
    EXPECT_EQ(input.sample_count(), 4000);
    EXPECT_EQ(input.voxel_count(), 16 * 9);
    const auto [low, high] = std::ranges::minmax(input.k[0]);
    EXPECT_GE(low, -8);
    EXPECT_LT(low, -7.9);
    EXPECT_LE(high, 8);
    EXPECT_GT(high, 7.9);
    EXPECT_TRUE(std::ranges::all_of(input.k[2], [](float k) { return k == 0; }));
    EXPECT_TRUE(std::ranges::all_of(input.phi, [](cfloat phi) { return phi.real() > 0 && phi.real() <= 1; }));
}

// Its data are those of an object within the field of view: with even samples, F^H d is an image of it, large inside,
// small in the corners, which no ellipsoid reaches (0.2 + 0.25 along each axis, but never along all).
TEST(RandomPhantom, DataShowTheObject) {
    const ParboilInput input = random_phantom({24, 24, 1}, 20000, 1);
    Trajectory trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        trajectory.k[axis].assign(input.k[axis].begin(), input.k[axis].end());
    }
    const VoxelGrid grid = VoxelGrid::image({24, 24, 1});
    const std::vector<cdouble> image =
        direct_adjoint(trajectory, grid, std::vector<cdouble>(input.kspace.begin(), input.kspace.end()));
    double largest = 0;
    for (const cdouble& value : image) {
        largest = std::max(largest, value.real());
    }
    for (const Index corner : {Index{0}, Index{23}, Index{23 * 24}}) {
        EXPECT_LT(std::abs(image[corner]), 0.2 * largest);
    }
}

TEST(RandomPhantom, RefusesWhatTheFormatCannotHold) {
    EXPECT_THROW(random_phantom({0, 4, 4}, 10, 1), UsageError);
    EXPECT_THROW(random_phantom({2048, 2048, 2048}, 10, 1), UsageError);
    EXPECT_THROW(random_phantom({4, 4, 4}, 0, 1), UsageError);
}

}  // namespace
}  // namespace recon
