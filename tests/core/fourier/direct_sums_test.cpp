#include "core/fourier/direct_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

const Trajectory trajectory{{{{0.0, 1.5, -2.25, 7.0}, {0.5, -0.125, 3.0, -3.5}, {0.0, 2.0, -1.0, 0.75}}}};
const std::vector<cdouble> samples{{1, -1}, {0.5, 2}, {-3, 0.25}, {0, 1}};

/// The definition, with the C library and no reduction of the phase.
cdouble adjoint_by_definition(const VoxelGrid& grid, Index x, Index y, Index z) {
    cdouble sum = 0;
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        const double phase = trajectory.k[0][m] * grid.position(0, x) + trajectory.k[1][m] * grid.position(1, y) +
                             trajectory.k[2][m] * grid.position(2, z);
        sum += samples[m] * std::polar(1.0, 2 * pi * phase);
    }
    return sum;
}

TEST(DirectSums, AdjointFollowsTheDefinition) {
    const VoxelGrid grid = VoxelGrid::image({3, 4, 5});
    const std::vector<cdouble> image = direct_adjoint(trajectory, grid, samples);
    ASSERT_EQ(image.size(), 60u);
    for (Index z = 0; z < 5; ++z) {
        for (Index y = 0; y < 4; ++y) {
            for (Index x = 0; x < 3; ++x) {
                EXPECT_LT(std::abs(image[x + 3 * (y + 4 * z)] - adjoint_by_definition(grid, x, y, z)), 1e-13);
            }
        }
    }
}

TEST(DirectSums, ForwardIsTheTransposeOfTheAdjointInEveryElement) {
    const VoxelGrid grid = VoxelGrid::image({3, 2, 1});
    for (Index voxel = 0; voxel < 6; ++voxel) {
        std::vector<cdouble> unit(6);
        unit[voxel] = 1;
        const std::vector<cdouble> column = direct_forward(trajectory, grid, unit);
        for (Index m = 0; m < trajectory.sample_count(); ++m) {
            std::vector<cdouble> sample(trajectory.sample_count());
            sample[m] = 1;
            EXPECT_LT(std::abs(std::conj(column[m]) - direct_adjoint(trajectory, grid, sample)[voxel]), 1e-15);
        }
    }
}

TEST(DirectSums, ChosenVoxelsAgreeWithTheWholeGrid) {
    const VoxelGrid grid = VoxelGrid::differences({4, 3, 2});
    const std::vector<Index> voxels{0, 17, 104, 50};
    const std::vector<cdouble> whole = direct_adjoint(trajectory, grid, samples);
    const std::vector<cdouble> chosen = direct_adjoint_at(trajectory, grid, voxels, samples);
    for (std::size_t i = 0; i < voxels.size(); ++i) {
        EXPECT_EQ(chosen[i], whole[voxels[i]]);
    }
}

TEST(DirectSums, QAtZeroIsTheSumOfTheWeights) {
    const std::vector<Index> origin{(3 - 1) + 5 * ((2 - 1) + 3 * (4 - 1))};
    const std::vector<cdouble> weights{1, 2, 3, 0.5};
    EXPECT_EQ(direct_adjoint_at(trajectory, VoxelGrid::differences({3, 2, 4}), origin, weights)[0], cdouble(6.5));
}

TEST(DirectSums, RefuseWrongSizes) {
    const VoxelGrid grid = VoxelGrid::image({3, 4, 5});
    EXPECT_THROW(direct_adjoint(trajectory, grid, std::vector<cdouble>(3)), ShapeError);
    EXPECT_THROW(direct_forward(trajectory, grid, std::vector<cdouble>(59)), ShapeError);
    EXPECT_THROW(direct_adjoint_at(trajectory, grid, std::vector<Index>{60}, samples), ShapeError);
}

}  // namespace
}  // namespace recon
