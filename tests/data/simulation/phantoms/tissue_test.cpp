#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/fourier/direct_sums.hpp"
#include "data/simulation/birdcage_maps.hpp"
#include "data/simulation/phantom_object.hpp"
#include "data/simulation/phantoms/gaussian_blobs.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using test::random_trajectory;
using test::relative_difference;

struct TissueCase {
    PerAxis<Index> matrix_size;
    Index finer;  ///< voxels of the sum in one of the scan's
};

PerAxis<bool> present_in(PerAxis<Index> n) { return {n[0] > 1, n[1] > 1, n[2] > 1}; }

/// A grid of finer voxels that reaches beyond the field of view, where the widest blobs end.
VoxelGrid fine_grid(const TissueCase& c) {
    VoxelGrid grid = VoxelGrid::image(c.matrix_size);
    PerAxis<Index> points{1, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
        const Index n = c.matrix_size[axis];
        if (n > 1) {
            grid.origin[axis] = c.finer * n * 3 / 4;
            grid.spacing[axis] = 1 / static_cast<double>(c.finer * n);
            points[axis] = 2 * grid.origin[axis] + 1;
        }
    }
    grid.shape = Shape::image(points);
    return grid;
}

class TissueTransform : public ::testing::TestWithParam<TissueCase> {};

/// The sum over voxels of texture, vessels and phase, as the difference of two seeds: the ellipsoids, which have a test
/// of their own, are the same in both. Blobs of 0.7 voxels have no aliases on voxels two or three times finer.
TEST_P(TissueTransform, OfTheDetailIsTheSumOverFineVoxels) {
    const TissueCase& c = GetParam();
    SimulationOptions options;
    options.phantom = "tissue";
    const PhantomObject one = phantom_object("tissue", options, c.matrix_size);
    options.phantom_seed = 5;
    const PhantomObject other = phantom_object("tissue", options, c.matrix_size);
    const TrigonometricMaps maps = fit_birdcage_maps(2, one.present, one.section);
    constexpr Index sample_count = 60;
    const Trajectory trajectory = random_trajectory(sample_count, c.matrix_size, 5);
    const auto of_one = one.phantom->transform(maps, trajectory), of_other = other.phantom->transform(maps, trajectory);
    const VoxelGrid grid = fine_grid(c);
    const std::vector<cfloat> values = one.phantom->values(grid), other_values = other.phantom->values(grid);
    double voxel = 1;
    for (const double spacing : grid.spacing) {
        voxel *= spacing;
    }
    for (Index map = 0; map < maps.map_count; ++map) {
        std::vector<cdouble> weighted = maps.values(map, grid);
        for (std::size_t i = 0; i < weighted.size(); ++i) {
            weighted[i] *= voxel * (cdouble(values[i]) - cdouble(other_values[i]));
        }
        std::vector<cdouble> difference(sample_count);
        for (Index m = 0; m < sample_count; ++m) {
            difference[m] = of_one[map * sample_count + m] - of_other[map * sample_count + m];
        }
        EXPECT_LT(relative_difference(difference, direct_forward(trajectory, grid, weighted)), 2e-6) << "map " << map;
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, TissueTransform,
                         ::testing::Values(TissueCase{{60, 1, 1}, 3}, TissueCase{{41, 36, 1}, 3}, TissueCase{{1, 37, 40}, 3},
                                           TissueCase{{13, 16, 14}, 2}));

/// The closed form of the class's comment, blob by blob.
TEST(GaussianBlobs, TransformIsTheClosedForm) {
    const std::vector<GaussianBlob> solid{{{0.1, -0.2, 0.02}, 0.05, 1.5}, {{-0.3, 0.1, -0.01}, 0.013, -0.7}};
    for (const PerAxis<Index> n : {PerAxis<Index>{40, 36, 32}, PerAxis<Index>{40, 36, 1}, PerAxis<Index>{1, 50, 1}}) {
        const PerAxis<double> section{0.09, 0, 0.01};
        const GaussianBlobs blobs(solid, present_in(n), section);
        const Trajectory trajectory = random_trajectory(80, n, 3);
        const std::vector<cdouble> computed = blobs.transform(constant_map(), trajectory);
        std::vector<cdouble> closed(80);
        for (Index m = 0; m < 80; ++m) {
            for (const GaussianBlob& blob : blobs.blobs()) {
                double height = blob.amplitude, square = 0, turns = 0;
                for (int axis = 0; axis < 3; ++axis) {
                    if (n[axis] > 1) {
                        const double k = trajectory.k[axis][m];
                        height *= std::sqrt(2 * pi) * blob.sigma;
                        square += k * k;
                        turns += k * blob.centre[axis];
                    }
                }
                closed[m] +=
                    std::polar(height * std::exp(-2 * pi * pi * blob.sigma * blob.sigma * square), -2 * pi * turns);
            }
        }
        EXPECT_LT(relative_difference(computed, closed), 1e-7);  // blobs end at 6 sigma
    }
}

TEST(GaussianBlobs, AreLinear) {
    const GaussianBlob one{{0.1, -0.2, 0}, 0.05, 1.5}, other{{-0.1, 0.1, 0}, 0.02, 0.4};
    const PerAxis<bool> present{true, true, false};
    const VoxelGrid grid = VoxelGrid::image({31, 28, 1});
    const Trajectory trajectory = random_trajectory(50, {31, 28, 1}, 4);
    const GaussianBlobs both({one, other}, present, {});
    const GaussianBlobs first({one}, present, {}), second({other}, present, {});
    const auto sum = both.values(grid), a = first.values(grid), b = second.values(grid);
    for (std::size_t i = 0; i < sum.size(); ++i) {
        EXPECT_NEAR(sum[i], a[i] + b[i], 1e-14);
    }
    const auto transform = both.transform(constant_map(), trajectory);
    auto parts = first.transform(constant_map(), trajectory);
    const auto more = second.transform(constant_map(), trajectory);
    std::transform(parts.begin(), parts.end(), more.begin(), parts.begin(), std::plus<>());
    EXPECT_LT(relative_difference(transform, parts), 1e-7);
}

TEST(GaussianBlobs, ACutLeavesOutWhatIsFar) {
    const std::vector<GaussianBlob> solid{{{0, 0, 0.02}, 0.02, 1}, {{0, 0, 0.2}, 0.02, 1}};
    const GaussianBlobs cut(solid, {true, true, false}, {0, 0, 0});
    ASSERT_EQ(cut.blobs().size(), 1U);
    EXPECT_NEAR(cut.blobs()[0].amplitude, std::exp(-0.5), 1e-12);
}

std::vector<cfloat> slice(const std::string& phantom, std::uint64_t seed, PerAxis<Index> n) {
    SimulationOptions options;
    options.phantom = phantom;
    options.phantom_seed = seed;
    return voxel_values(phantom_object(phantom, options, n), n);
}

TEST(Tissue, IsTheBrainWithTextureEverywhereInIt) {
    const PerAxis<Index> n{96, 96, 1};
    const auto tissue = slice("tissue", 1, n), brain = slice("brain", 1, n), other = slice("tissue", 2, n);
    double inside = 0, difference = 0, between_seeds = 0;
    for (std::size_t i = 0; i < brain.size(); ++i) {
        if (std::abs(brain[i]) > 0.2) {
            inside += std::norm(brain[i]);
            difference += std::pow(std::abs(tissue[i]) - std::abs(brain[i]), 2);
            between_seeds += std::norm(tissue[i] - other[i]);
        } else if (std::abs(brain[i]) < 1e-6) {
            EXPECT_LT(std::abs(tissue[i]), 0.02);  // air stays dark
        }
    }
    EXPECT_GT(std::sqrt(difference / inside), 0.06);
    EXPECT_LT(std::sqrt(difference / inside), 0.25);
    EXPECT_GT(std::sqrt(between_seeds / inside), 0.06);
    EXPECT_EQ(tissue, slice("tissue", 1, n));
}

/// From one voxel to the next the phase turns by a few degrees, across the head by more than a radian.
TEST(Tissue, PhaseIsSmooth) {
    const Index size = 64;
    const auto values = slice("tissue", 1, {size, size, 1});
    double lowest = 0, highest = 0, phase = 0;
    const Index row = size / 2 * size;
    for (Index x = size / 4; x + 1 < 3 * size / 4; ++x) {
        const double turn = std::arg(values[row + x + 1] * std::conj(values[row + x]));
        EXPECT_LT(std::abs(turn), 0.12);
        phase += turn;
        lowest = std::min(lowest, phase);
        highest = std::max(highest, phase);
    }
    EXPECT_GT(highest - lowest, 1);
}

/// Two-dimensional scans show what a plane of three-dimensional ones shows.
TEST(Tissue, ASliceIsACutThroughTheSolidObject) {
    SimulationOptions options;
    options.phantom = "tissue";
    options.section = 0.0;
    options.edge_voxels = 0;
    const PerAxis<Index> n{33, 35, 33};  // as fine texture as in the plane
    const PhantomObject solid = phantom_object("tissue", options, n),
                        flat = phantom_object("tissue", options, {33, 35, 1});
    const auto plane = voxel_values(flat, {33, 35, 1});
    VoxelGrid middle = VoxelGrid::image(n);
    middle.shape = Shape::image({33, 35, 1});
    middle.origin[2] = 0;
    middle.spacing[2] = 1e-9;  // sharp edges are a mean over the voxel: a flat one here
    const auto cut = solid.phantom->values(middle);
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < plane.size(); ++i) {
        difference += std::norm(cut[i] - plane[i]);
        size += std::norm(plane[i]);
    }
    EXPECT_LT(std::sqrt(difference / size), 0.01);  // blobs end at 3.5 sigma from the cut
}

}  // namespace
}  // namespace recon
