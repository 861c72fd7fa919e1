#include "core/fourier/positions.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace recon {
namespace {

constexpr double rounding = 1e-12;

class GridOfAnImage : public ::testing::TestWithParam<PerAxis<Index>> {};

TEST_P(GridOfAnImage, FindsTheGridOfItsVoxels) {
    const VoxelGrid grid = VoxelGrid::image(GetParam());
    const auto found = grid_of(Positions::of(grid), rounding);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->shape, grid.shape);
    for (int axis = 0; axis < 3; ++axis) {
        for (Index i = 0; i < grid.shape.extent(axis); ++i) {
            EXPECT_NEAR(found->position(axis, i), grid.position(axis, i), rounding);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, GridOfAnImage,
                         ::testing::Values(PerAxis<Index>{1, 1, 1}, PerAxis<Index>{8, 8, 8}, PerAxis<Index>{5, 1, 7},
                                           PerAxis<Index>{1, 6, 1}, PerAxis<Index>{1, 4, 3}, PerAxis<Index>{3, 7, 1}));

TEST(GridOf, TellsVoxelsThatAreMoved) {
    Positions positions = Positions::of(VoxelGrid::image({6, 5, 4}));
    positions.r[1][77] += 1e-3;
    EXPECT_FALSE(grid_of(positions, 1e-4));
    EXPECT_TRUE(grid_of(positions, 1e-2));
}

TEST(GridOf, TellsVoxelsInAnotherOrderAndInOtherNumber) {
    Positions positions = Positions::of(VoxelGrid::image({6, 5, 4}));
    std::swap(positions.r[0], positions.r[2]);
    EXPECT_FALSE(grid_of(positions, rounding));
    positions = Positions::of(VoxelGrid::image({6, 5, 4}));
    for (auto& component : positions.r) {
        component.pop_back();
    }
    EXPECT_FALSE(grid_of(positions, rounding));
    EXPECT_FALSE(grid_of(Positions{}, rounding));
}

// A grid between those of VoxelGrid, whose origin is a whole number of voxels.
TEST(GridOf, TellsAGridWhoseVoxelsStraddleTheOrigin) {
    Positions positions = Positions::of(VoxelGrid::image({6, 1, 1}));
    for (double& x : positions.r[0]) {
        x += 0.5 / 6;
    }
    EXPECT_FALSE(grid_of(positions, 1e-3));
}

}  // namespace
}  // namespace recon
