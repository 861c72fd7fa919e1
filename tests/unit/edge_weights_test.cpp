#include "core/mri/edge_weights.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "core/error.hpp"

namespace recon {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;

/// `level` plus noise of a normal distribution, twice the level right of the middle of x.
std::vector<float> noisy_step(PerAxis<Index> n, double level, double noise) {
    std::mt19937 generator(3);
    std::normal_distribution<double> normal(0, noise);
    std::vector<float> values(n[0] * n[1] * n[2]);
    for (Index i = 0; i < static_cast<Index>(values.size()); ++i) {
        values[i] = static_cast<float>(level * (i % n[0] < n[0] / 2 ? 1 : 2) + normal(generator));
    }
    return values;
}

TEST(EdgeWeights, AreTheFormulaOfEachPair) {
    // [x 3, y 2, z 1]; pairs along x, then along y; no pair after the last voxel of an axis
    const std::vector<float> reference{0, 3, 3, 4, 3, 1};
    const auto w = [](double step) { return FloatNear(static_cast<float>(1 / std::sqrt(1 + step * step / 4)), 1e-6F); };
    EXPECT_THAT(edge_weights(reference, {3, 2, 1}, 2),
                ElementsAre(w(3), w(0), 0, w(1), w(2), 0, w(4), w(0), w(2), 0, 0, 0));
}

TEST(EdgeWeights, AxesOfOneVoxelHaveNoPairs) {
    EXPECT_THAT(axes_with_neighbours({1, 5, 2}), ElementsAre(1, 2));
    EXPECT_EQ(edge_weights(std::vector<float>(10, 1), {1, 5, 2}, 1).size(), 20U);
    EXPECT_THAT(edge_weights(std::vector<float>{1}, {1, 1, 1}, 1), ElementsAre(0));
}

TEST(EdgeWeights, NoiseOfDifferencesIsFoundBesideEdges) {
    constexpr PerAxis<Index> n{40, 31, 9};
    constexpr double noise = 0.02;
    const double found = difference_noise(noisy_step(n, 1, noise), n);
    // Difference of two: sqrt(2). About 32,000 pairs; the median of them is certain to 1.17 / sqrt(32,000 / 3) (pairs
    // share voxels), some percent of edges raise it: 5 % in all.
    EXPECT_NEAR(found, noise * std::sqrt(2.0), 0.05 * noise * std::sqrt(2.0));
}

TEST(EdgeWeights, AirDoesNotHideTheNoise) {
    constexpr PerAxis<Index> n{40, 40, 4};
    std::vector<float> reference = noisy_step(n, 1, 0.02);
    for (Index i = 0; i < static_cast<Index>(reference.size()); ++i) {
        if (i / n[0] % n[1] >= 8) {
            reference[i] = 0;  // four fifths of the image masked away
        }
    }
    EXPECT_NEAR(difference_noise(reference, n), 0.02 * std::sqrt(2.0), 0.1 * 0.02 * std::sqrt(2.0));
    EXPECT_EQ(difference_noise(std::vector<float>(n[0] * n[1] * n[2], 1), n), 0);
}

TEST(EdgeWeights, GradientFactorsFollowTheVoxels) {
    EXPECT_THAT(gradient_factors({8, 8, 8}, {2, 4, 5}), ElementsAre(1, 0.5, 0.4));
    EXPECT_THAT(gradient_factors({8, 8, 1}, {2, 4, 0.5}), ElementsAre(1, 0.5, 1));  // z has no neighbours
    EXPECT_THAT(gradient_factors({8, 8, 8}, {0, 0, 0}), ElementsAre(1, 1, 1));
}

TEST(EdgeWeights, WhatCannotBeIsRefused) {
    EXPECT_THROW(edge_weights(std::vector<float>(5, 1), {2, 2, 1}, 1), ShapeError);
    EXPECT_THROW(edge_weights(std::vector<float>(4, 1), {2, 2, 1}, 0), ShapeError);
    EXPECT_THROW(difference_noise(std::vector<float>(5, 1), {2, 2, 1}), ShapeError);
}

}  // namespace
}  // namespace recon
