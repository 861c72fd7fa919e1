// Delays of readouts that leave the centre, from k-space of Gaussian blobs where late gradients took the samples.
#include "core/mri/gradients/centre_out_delays.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace recon {
namespace {

struct Readouts {
    Trajectory trajectory;
    Index length = 0;
    PerAxis<bool> axes{};
};

/// @param along  distance from the centre at a sample, cycles per FOV
Readouts half_spokes(bool is_volume, Index count, Index length, const std::function<double(Index)>& along) {
    constexpr double golden = 0.618034;
    Readouts result{{}, length, {true, true, is_volume}};
    for (Index r = 0; r < count; ++r) {
        const double z = is_volume ? 1 - 2 * (static_cast<double>(r) + 0.5) / static_cast<double>(count) : 0;
        const double angle = 2 * std::numbers::pi * golden * static_cast<double>(r), in_plane = std::sqrt(1 - z * z);
        for (Index s = 0; s < length; ++s) {
            result.trajectory.k[0].push_back(along(s) * in_plane * std::cos(angle));
            result.trajectory.k[1].push_back(along(s) * in_plane * std::sin(angle));
            result.trajectory.k[2].push_back(along(s) * z);
        }
    }
    return result;
}

Readouts arms_of_spirals(Index count, Index length) {
    Readouts result{{}, length, {true, true, false}};
    for (Index r = 0; r < count; ++r) {
        for (Index s = 0; s < length; ++s) {
            const double part = static_cast<double>(s) / static_cast<double>(length);
            const double angle =
                2 * std::numbers::pi * (4 * part + static_cast<double>(r) / static_cast<double>(count));
            result.trajectory.k[0].push_back(24 * part * std::cos(angle));
            result.trajectory.k[1].push_back(24 * part * std::sin(angle));
            result.trajectory.k[2].push_back(0);
        }
    }
    return result;
}

/// [sample coil] of two coils that see blobs differently, with noise of a part of the centre.
std::vector<cfloat> kspace_of(const Trajectory& trajectory, double noise) {
    struct Blob {
        PerAxis<double> place;  // fields of view
        double width, one, other;
    };
    const std::vector<Blob> blobs{{{0.2, -0.1, 0.15}, 0.04, 1, 0.3},
                                  {{-0.25, 0.05, -0.1}, 0.03, 0.4, 1},
                                  {{0.05, 0.3, 0.2}, 0.06, 0.7, 0.6},
                                  {{-0.05, -0.25, -0.25}, 0.02, 0.9, 0.2},
                                  {{0.3, 0.15, -0.05}, 0.03, 0.2, 0.8}};
    std::mt19937 random(3);
    std::normal_distribution<double> normal(0, noise / std::numbers::sqrt2);
    std::vector<cfloat> kspace;
    for (const bool is_other : {false, true}) {
        for (std::size_t m = 0; m < trajectory.k[0].size(); ++m) {
            const PerAxis<double> k{trajectory.k[0][m], trajectory.k[1][m], trajectory.k[2][m]};
            cdouble value(normal(random), normal(random));
            for (const Blob& blob : blobs) {
                const double square = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
                const double turn = k[0] * blob.place[0] + k[1] * blob.place[1] + k[2] * blob.place[2];
                value += std::polar((is_other ? blob.other : blob.one) *
                                        std::exp(-2 * std::pow(std::numbers::pi * blob.width, 2) * square),
                                    -2 * std::numbers::pi * turn);
            }
            kspace.emplace_back(value);
        }
    }
    return kspace;
}

std::optional<CentreOutEstimate> estimate(const Readouts& of, const std::vector<cfloat>& kspace, double noise) {
    const CentreOutReadouts readouts = centre_out_readouts(of.trajectory, of.length, of.axes, 4000);
    std::vector<cfloat> some;
    const auto count = static_cast<std::size_t>(of.trajectory.sample_count());
    for (std::size_t coil = 0; coil < 2; ++coil) {
        for (const Index m : readouts.samples) {
            some.push_back(kspace[coil * count + static_cast<std::size_t>(m)]);
        }
    }
    return estimate_centre_out_delays(readouts, readouts.positions(of.trajectory), some, noise);
}

void expect_found(const Readouts& readouts, const GradientDelays& late, double noise, double most) {
    const auto found =
        estimate(readouts, kspace_of(*delayed(readouts.trajectory, readouts.length, late), noise), noise);
    ASSERT_TRUE(found) << late.text();
    for (std::size_t i = 0; i < 3; ++i) {
        const GradientDelays& delays = found->delays.delays;
        EXPECT_NEAR(delays.samples[i], late.samples[i], most) << late.text() << " -> " << delays.text();
        EXPECT_NEAR(delays.cross[i], late.cross[i], most) << late.text() << " -> " << delays.text();
    }
    EXPECT_TRUE(are_the_reason(found->delays));
    EXPECT_FALSE(wrong_samples_are_the_reason(*found));
}

double half_cycles(Index s) { return 0.5 * static_cast<double>(s); }

/// Gradients that rise over 16 samples.
double ramp(Index s) {
    const auto at = static_cast<double>(s);
    return 0.5 * (s < 16 ? at * at / 32 : at - 8);
}

TEST(CentreOutDelays, OfHalfSpokes) {
    const Readouts readouts = half_spokes(false, 150, 60, half_cycles);
    expect_found(readouts, {{0.25, 0.25, 0}, {}}, 0, 0.02);
    expect_found(readouts, {{0.5, 0.2, 0}, {0.1, 0, 0}}, 0, 0.02);
    expect_found(readouts, {{1, 1, 0}, {}}, 0.01, 0.03);
    expect_found(readouts, {{-0.5, -0.4, 0}, {}}, 0.01, 0.03);
    expect_found(half_spokes(false, 150, 80, ramp), {{1.6, 1.2, 0}, {}}, 0.005, 0.1);
}

TEST(CentreOutDelays, OfVolumes) {
    expect_found(half_spokes(true, 600, 30, half_cycles), {{0.5, 0.2, 0.8}, {0, 0.1, 0}}, 0.005, 0.05);
}

TEST(CentreOutDelays, OfSpirals) {
    expect_found(arms_of_spirals(12, 600), {{2, 2, 0}, {}}, 0.005, 0.15);
    expect_found(arms_of_spirals(12, 600), {{-1, 2, 0}, {}}, 0.005, 0.15);
}

TEST(CentreOutDelays, AreNoneOfGoodReadouts) {
    for (const Readouts& readouts : {half_spokes(false, 150, 60, half_cycles), half_spokes(true, 600, 30, half_cycles),
                                     arms_of_spirals(12, 600)}) {
        for (const double noise : {0.0, 0.002, 0.05}) {
            const auto found = estimate(readouts, kspace_of(readouts.trajectory, noise), noise);
            ASSERT_TRUE(found);
            EXPECT_FALSE(are_the_reason(found->delays)) << found->delays.delays.text();
            EXPECT_FALSE(wrong_samples_are_the_reason(*found));
        }
    }
}

TEST(CentreOutDelays, AreUnknownOfZerosAndOfFewSamples) {
    const Readouts readouts = half_spokes(false, 150, 60, half_cycles);
    const std::vector<cfloat> zeros(2 * static_cast<std::size_t>(readouts.trajectory.sample_count()));
    EXPECT_FALSE(estimate(readouts, zeros, 0));
    const Readouts few = half_spokes(false, 12, 60, half_cycles);
    EXPECT_FALSE(estimate(few, kspace_of(few.trajectory, 0), 0));
}

/// What decays along a readout, turns in phase, is used up, or begins with a bad sample is left with any delays.
TEST(CentreOutDelays, AreNotWhatElseTheCentreShows) {
    const Readouts readouts = half_spokes(false, 150, 60, half_cycles);
    const std::vector<cfloat> good = kspace_of(readouts.trajectory, 0);
    const auto count = static_cast<std::size_t>(readouts.trajectory.sample_count());
    const std::vector<std::function<cfloat(double, double)>> changes{
        [](double along, double) { return cfloat(static_cast<float>(std::exp(-2 * along))); },
        [](double along, double) { return cfloat(std::polar(1.0, 2 * std::numbers::pi * along)); },
        [](double, double readout) { return cfloat(static_cast<float>(std::exp(-readout))); },
        [](double along, double) { return cfloat(along == 0 ? 0.8F : 1.0F); }};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        std::vector<cfloat> changed = good;
        for (std::size_t m = 0; m < changed.size(); ++m) {
            const std::size_t at = m % count;
            changed[m] *=
                changes[i](static_cast<double>(at % 60) / 60, static_cast<double>(at) / static_cast<double>(count));
        }
        const auto found = estimate(readouts, changed, 0);
        ASSERT_TRUE(found);
        EXPECT_FALSE(are_the_reason(found->delays)) << i << ": " << found->delays.delays.text();
    }
}

/// Of receivers that settle: factors of the first samples, against delays that look much alike.
TEST(CentreOutDelays, AreNotTakenForWrongFirstSamples) {
    const Readouts readouts = half_spokes(false, 150, 60, half_cycles);
    for (const std::vector<float>& factors : {std::vector<float>{0.95F}, {0.9F}, {1.1F}, {0.7F, 0.95F}, {0.2F, 0.6F}}) {
        constexpr double noise = 0.002;
        std::vector<cfloat> kspace = kspace_of(readouts.trajectory, noise);
        for (std::size_t m = 0; m < kspace.size(); ++m) {
            const std::size_t place = m % 60;
            kspace[m] *= place < factors.size() ? factors[place] : 1;
        }
        const auto found = estimate(readouts, kspace, noise);
        ASSERT_TRUE(found);
        EXPECT_GE(found->wrong_samples, 1) << factors[0];  // one that is nearly right may count as such
        EXPECT_LE(found->wrong_samples, std::ssize(factors)) << factors[0];
        EXPECT_TRUE(wrong_samples_are_the_reason(*found)) << factors[0];
        EXPECT_FALSE(are_the_reason(found->delays)) << factors[0];
    }
}

/// As fits compare the same samples, whatever the delays.
TEST(CentreOutDelays, OfLittleAreFoundInOneCoil) {
    const Readouts readouts = half_spokes(false, 300, 60, [](Index s) { return 2.0 / 3 * static_cast<double>(s); });
    expect_found(readouts, {{0.1, 0.1, 0}, {}}, 0.0005, 0.02);
}

TEST(CentreOutReadouts, AreThoseThatBeginInTheMiddle) {
    Readouts stack = arms_of_spirals(4, 100);
    for (Index m = 0; m < 400; ++m) {
        stack.trajectory.k[2][static_cast<std::size_t>(m)] =
            static_cast<double>(m / 100) - 2;  // the third is the middle
    }
    const CentreOutReadouts middle = centre_out_readouts(stack.trajectory, 100, {true, true, true}, 4000);
    ASSERT_FALSE(middle.samples.empty());
    EXPECT_EQ(middle.samples.front(), 200);
    EXPECT_LT(middle.samples.back(), 300);
    EXPECT_EQ(middle.axes, (PerAxis<bool>{true, true, false}));
    const Readouts through = half_spokes(false, 20, 60, [](Index s) { return 0.5 * static_cast<double>(s - 30); });
    EXPECT_EQ(centre_out_readouts(through.trajectory, 60, through.axes, 4000).length, 0);
    const CentreOutReadouts spokes =
        centre_out_readouts(half_spokes(false, 20, 60, half_cycles).trajectory, 60, {true, true, false}, 4000);
    EXPECT_NEAR(spokes.cycle, 2, 1e-9);
}

}  // namespace
}  // namespace recon
