#include "core/operators/penalties/edge_weights.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/base/error.hpp"

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

TEST(EdgeWeights, NoiseIsFoundBesideEdges) {
    constexpr double noise = 0.02;
    // The quartile of N numbers is certain to sqrt(3 / N) / 4 / (density 0.76 x 0.319): some 2 % for the slice, where
    // neighbouring filtered voxels share most of their noise; the edges add 3 in 40 voxels.
    for (const PerAxis<Index> n : {PerAxis<Index>{40, 31, 9}, PerAxis<Index>{80, 81, 1}, PerAxis<Index>{3000, 1, 1},
                                   PerAxis<Index>{40, 41, 2}}) {
        EXPECT_NEAR(voxel_noise(noisy_step(n, 1, noise), n), noise, 0.15 * noise) << n[0] << " " << n[1] << " " << n[2];
    }
}

TEST(EdgeWeights, AirDoesNotHideTheNoise) {
    constexpr PerAxis<Index> n{40, 80, 4};
    std::vector<float> image = noisy_step(n, 1, 0.02);
    for (Index i = 0; i < static_cast<Index>(image.size()); ++i) {
        if (i / n[0] % n[1] >= 16) {
            image[i] = 0;  // four fifths of the image masked away
        }
    }
    EXPECT_NEAR(voxel_noise(image, n), 0.02, 0.2 * 0.02);
    EXPECT_EQ(voxel_noise(std::vector<float>(image.size(), 1), n), 0);
    EXPECT_EQ(voxel_noise(std::vector<float>{3}, {1, 1, 1}), 0);
}

TEST(EdgeWeights, ASlopeIsNoNoise) {
    std::vector<float> slope(30 * 20);
    for (Index i = 0; i < 600; ++i) {
        slope[i] = static_cast<float>(100 + i % 30 + 2 * (i / 30));
    }
    EXPECT_EQ(voxel_noise(slope, {30, 20, 1}), 0);
}

TEST(EdgeWeights, DifferencesOfWhiteNoiseAreItsRootTwo) {
    constexpr PerAxis<Index> n{50, 40, 3};
    std::mt19937 generator(4);
    std::normal_distribution<float> normal;
    std::vector<float> noise(6000);
    std::generate(noise.begin(), noise.end(), [&] { return normal(generator); });
    // The variance of 6000 numbers is certain to sqrt(2 / 6000), that of their differences to 1.3 times that: 0.017 of
    // the result; four times that.
    EXPECT_NEAR(difference_rms(noise, n), std::sqrt(2.0), 0.07);
    EXPECT_EQ(difference_rms(std::vector<float>{1}, {1, 1, 1}), 0);
}

TEST(EdgeWeights, GradientFactorsFollowTheVoxels) {
    EXPECT_THAT(gradient_factors({8, 8, 8}, {2, 4, 5}), ElementsAre(1, 0.5, 0.4));
    EXPECT_THAT(gradient_factors({8, 8, 1}, {2, 4, 0.5}), ElementsAre(1, 0.5, 1));  // z has no neighbours
    EXPECT_THAT(gradient_factors({8, 8, 8}, {0, 0, 0}), ElementsAre(1, 1, 1));
}

TEST(EdgeWeights, WhatCannotBeIsRefused) {
    EXPECT_THROW(edge_weights(std::vector<float>(5, 1), {2, 2, 1}, 1), ShapeError);
    EXPECT_THROW(edge_weights(std::vector<float>(4, 1), {2, 2, 1}, 0), ShapeError);
    EXPECT_THROW(voxel_noise(std::vector<float>(5, 1), {2, 2, 1}), ShapeError);
}

}  // namespace
}  // namespace recon
