#include "core/mri/off_resonance/field_map_smoothing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "core/fourier/voxel_grid.hpp"

namespace recon {
namespace {

const std::vector<PerAxis<Index>> sizes_to_smooth{{30, 24, 12}, {40, 33, 1}, {64, 1, 1}, {1, 50, 30}};

/// Hz, [x y z]
template <class Function>
std::vector<float> field(PerAxis<Index> size, Function&& function) {
    const VoxelGrid grid = VoxelGrid::image(size);
    std::vector<float> map;
    for (Index n = 0; n < grid.shape.element_count(); ++n) {
        map.push_back(
            static_cast<float>(function(grid.position(0, n % size[0]), grid.position(1, n / size[0] % size[1]),
                                        grid.position(2, n / (size[0] * size[1])))));
    }
    return map;
}

double cubic(double x, double y, double z) {
    return 500 + 900 * x - 400 * y + 300 * z + 250 * x * y - 500 * x * x + 200 * z * z * y + 350 * y * y * y;
}

/// Voxels to the nearest border.
Index room(PerAxis<Index> size, std::size_t n) {
    const PerAxis<Index> at{Index(n) % size[0], Index(n) / size[0] % size[1], Index(n) / (size[0] * size[1])};
    Index least = size[0] + size[1] + size[2];
    for (int axis = 0; axis < 3; ++axis) {
        least = size[axis] > 1 ? std::min({least, at[axis], size[axis] - 1 - at[axis]}) : least;
    }
    return least;
}

/// Root mean square difference, four voxels and more from the border.
double inner_difference(PerAxis<Index> size, const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0, count = 0;
    for (std::size_t n = 0; n < a.size(); ++n) {
        if (room(size, n) >= 4) {
            sum += std::pow(double(a[n]) - double(b[n]), 2);
            count += 1;
        }
    }
    return std::sqrt(sum / count);
}

/// As about a small cavity: steeper than any quadratic, and no noise.
double cavity(double x, double y, double) {
    constexpr double radius = 0.05, largest_hz = 240;
    const double far = std::pow(std::hypot(x - 0.1, y + 0.05) / radius, 2);
    return 300 + largest_hz * far / std::pow(1 + far, 2) * std::cos(2 * std::atan2(y + 0.05, x - 0.1));
}

TEST(FieldMapSmoothing, AFieldThatIsSteepStaysAndNoiseOnItGoes) {
    const PerAxis<Index> size{64, 64, 1};
    const std::vector<float> given = field(size, cavity);
    std::vector<float> clean = given;
    smooth_field_map(clean, size, 0.25);
    EXPECT_LT(inner_difference(size, clean, given), 0.1);  // 2.6 where it is taken for noise
    std::vector<float> noisy = given;
    std::mt19937 random(4);
    std::normal_distribution<float> normal(0, 3);
    for (float& value : noisy) {
        value += normal(random);
    }
    smooth_field_map(noisy, size, 0.25);
    EXPECT_LT(inner_difference(size, noisy, given), 1.8);  // of 3; 2.2
}

TEST(FieldMapSmoothing, ACubicFieldStaysToTheBit) {
    for (const PerAxis<Index>& size : sizes_to_smooth) {
        const std::vector<float> given = field(size, cubic);
        std::vector<float> map = given;
        const FieldMapSmoothing done = smooth_field_map(map, size, 0.02);
        EXPECT_EQ(map, given);
        EXPECT_EQ(done.spikes + done.smoothed + done.rounds, 0);
    }
}

TEST(FieldMapSmoothing, SpikesAreSetToWhatIsAroundThem) {
    for (const PerAxis<Index>& size : sizes_to_smooth) {
        const std::vector<float> truth = field(size, cubic);
        std::vector<float> map = truth;
        std::mt19937 generator(7);
        std::set<std::size_t> spikes;
        while (spikes.size() < 1 + truth.size() / 100) {
            const std::size_t n = generator() % truth.size();
            if (room(size, n) < 2) {
                continue;
            }
            map[n] = truth[n] + (generator() % 2 ? 800.0F : -800.0F);
            spikes.insert(n);
        }
        const FieldMapSmoothing done = smooth_field_map(map, size, 1);
        EXPECT_GE(done.spikes, std::ssize(spikes));
        EXPECT_LT(done.spikes, 2 * std::ssize(spikes) + 2);
        for (std::size_t n = 0; n < map.size(); ++n) {
            EXPECT_NEAR(map[n], truth[n], 60) << n << ": two voxels where the field is steepest; spikes are of 800";
        }
    }
}

TEST(FieldMapSmoothing, NoiseFallsTheMoreTheMoreAxesThereAre) {
    constexpr double sigma = 4;
    for (const PerAxis<Index>& size : sizes_to_smooth) {
        const std::vector<float> truth = field(size, cubic);
        std::vector<float> map = truth;
        std::mt19937 generator(3);
        std::normal_distribution<float> noise(0, sigma);
        for (float& value : map) {
            value += noise(generator);
        }
        const double before = inner_difference(size, map, truth);
        EXPECT_EQ(smooth_field_map(map, size, 0.2).rounds, 4);
        const auto axes = 3 - std::ranges::count(size, Index{1});
        // One round leaves sqrt(17 / 35) = 0.70 of it on a line.
        EXPECT_LT(inner_difference(size, map, truth), std::pow(0.65, axes) * before);
    }
}

TEST(FieldMapSmoothing, NoiseBelowTheToleranceStays) {
    for (const PerAxis<Index>& size : sizes_to_smooth) {
        std::vector<float> map = field(size, cubic);
        for (std::size_t n = 0; n < map.size(); n += 3) {
            map[n] += 0.1F;
        }
        const std::vector<float> given = map;
        smooth_field_map(map, size, 0.2);
        EXPECT_EQ(map, given);
    }
}

TEST(FieldMapSmoothing, WhatIsNotMeasuredIsNoneOfItAndRimsStay) {
    const PerAxis<Index> size{40, 40, 1};
    const auto object = [](double x, double y, double z) { return std::hypot(x, y) < 0.35 ? cubic(x, y, z) : 0; };
    const std::vector<float> given = field(size, object);
    std::vector<float> map = given;
    EXPECT_EQ(smooth_field_map(map, size, 0.02).spikes, 0);
    EXPECT_EQ(map, given);
    std::vector<float> nothing(40 * 40, 0.0F);
    EXPECT_EQ(smooth_field_map(nothing, size, 0.02).spikes, 0);
    EXPECT_EQ(nothing, std::vector<float>(40 * 40, 0.0F));
}

}  // namespace
}  // namespace recon
