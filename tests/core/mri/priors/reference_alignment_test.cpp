#include "core/mri/priors/reference_alignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/base/error.hpp"
#include "data/simulation/phantom_object.hpp"

namespace recon {
namespace {

constexpr PerAxis<Index> slice{64, 64, 1};

std::vector<float> magnitudes(const std::vector<cfloat>& values) {
    std::vector<float> result(values.size());
    std::transform(values.begin(), values.end(), result.begin(), [](cfloat value) { return std::abs(value); });
    return result;
}

/// The head in protons: what a reference shows.
std::vector<float> proton(PerAxis<Index> n) {
    SimulationOptions options;
    options.request.matrix_size = n;
    return magnitudes(voxel_values(phantom_object("brain", options, n), n));
}

/// The head in sodium with noise of mean signal over `snr`: what a first image shows.
std::vector<float> noisy_sodium(PerAxis<Index> n, double snr) {
    SimulationOptions options;
    options.request.matrix_size = n;
    std::vector<cfloat> values = voxel_values(phantom_object("sodium", options, n), n);
    std::mt19937 generator(5);
    std::normal_distribution<float> normal(0, static_cast<float>(0.35 / snr / std::sqrt(2.0)));
    for (cfloat& value : values) {
        const float real = normal(generator);
        value += cfloat(real, normal(generator));
    }
    return magnitudes(values);
}

/// value at [x y z] = source at place(x, y, z), indices cyclic
template <class Place>
std::vector<float> moved(const std::vector<float>& source, PerAxis<Index> n, Place&& place) {
    std::vector<float> result(source.size());
    for (Index i = 0; i < static_cast<Index>(source.size()); ++i) {
        PerAxis<Index> from = place(PerAxis<Index>{i % n[0], i / n[0] % n[1], i / (n[0] * n[1])});
        for (int axis = 0; axis < 3; ++axis) {
            from[axis] = (from[axis] % n[axis] + n[axis]) % n[axis];
        }
        result[i] = source[from[0] + n[0] * (from[1] + n[1] * from[2])];
    }
    return result;
}

TEST(ReferenceAlignment, TheRightReferenceAgreesInSpiteOfNoiseAndOtherContrast) {
    for (const PerAxis<Index> n : {slice, PerAxis<Index>{33, 48, 1}, PerAxis<Index>{24, 25, 26}}) {
        const AlignmentReport report = check_alignment(noisy_sodium(n, 5), proton(n), n);
        EXPECT_EQ(report.verdict, Alignment::agrees) << report.text();
    }
}

TEST(ReferenceAlignment, AShiftIsFoundAndSaid) {
    const std::vector<float> wrong = moved(proton(slice), slice, [](PerAxis<Index> at) {
        return PerAxis<Index>{at[0] + 3, at[1] - 5, at[2]};
    });
    const AlignmentReport report = check_alignment(noisy_sodium(slice, 5), wrong, slice);
    EXPECT_EQ(report.verdict, Alignment::misplaced);
    EXPECT_EQ(report.best.shift, (PerAxis<Index>{3, -5, 0})) << report.text();
    EXPECT_EQ(report.best.text(), "moved by +3 voxels along x, moved by -5 voxels along y");
}

TEST(ReferenceAlignment, AMirrorImageIsFoundThoughTheHeadIsNearlySymmetric) {
    constexpr PerAxis<Index> n{40, 36, 20};
    for (int axis = 0; axis < 3; ++axis) {
        const std::vector<float> wrong = moved(proton(n), n, [&](PerAxis<Index> at) {
            at[axis] = n[axis] - at[axis];
            return at;
        });
        const AlignmentReport report = check_alignment(noisy_sodium(n, 8), wrong, n);
        EXPECT_EQ(report.verdict, Alignment::misplaced) << report.text();
        EXPECT_TRUE(report.best.mirrored[axis]) << report.text();
        EXPECT_GT(report.best_information, report.information);
    }
}

TEST(ReferenceAlignment, ExchangedAxesAreFound) {
    const std::vector<float> wrong = moved(proton(slice), slice, [](PerAxis<Index> at) {
        return PerAxis<Index>{at[1], at[0], at[2]};
    });
    const AlignmentReport report = check_alignment(noisy_sodium(slice, 5), wrong, slice);
    EXPECT_EQ(report.verdict, Alignment::misplaced);
    EXPECT_EQ(report.best.source_axis, (PerAxis<int>{1, 0, 2})) << report.text();
}

TEST(ReferenceAlignment, NoiseIsUnrelated) {
    std::mt19937 generator(9);
    std::normal_distribution<float> normal(1, 0.2F);
    std::vector<float> noise(slice[0] * slice[1]);
    std::generate(noise.begin(), noise.end(), [&] { return normal(generator); });
    const AlignmentReport report = check_alignment(noisy_sodium(slice, 5), noise, slice);
    EXPECT_EQ(report.verdict, Alignment::unrelated) << report.text();
}

TEST(ReferenceAlignment, SmallAndFlatImagesAreNotACrash) {
    const std::vector<float> flat(30, 1);
    EXPECT_EQ(check_alignment(flat, flat, {5, 3, 2}).verdict, Alignment::unrelated);
    EXPECT_EQ(check_alignment(std::vector<float>{1}, std::vector<float>{2}, {1, 1, 1}).verdict, Alignment::unrelated);
    EXPECT_THROW(check_alignment(flat, std::vector<float>(4), {5, 3, 2}), ShapeError);
}

}  // namespace
}  // namespace recon
