#include "core/mri/check/image/residual_judgement.hpp"
#include "core/mri/check/image/rim.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace recon {
namespace {

constexpr Index coil_count = 6, readout_count = 24, length = 32;

/// A fit that leaves noise of variance 1 in each number and a hundredth of the energy of the signal, which is 1e4 in
/// the middle of each readout.
struct Fit {
    ResidualShares shares;
    ResidualSite site{.samples_per_readout = length, .noise_sigma = 1};

    Fit() {
        std::mt19937 random(3);
        std::exponential_distribution<double> noise(1);
        shares.of_coils.assign(coil_count, 0);
        shares.data_of_coils.assign(coil_count, 0);
        shares.predicted_of_coils.assign(coil_count, 0);
        shares.of_samples.assign(readout_count * length, 0);
        shares.predicted_of_samples.assign(readout_count * length, 0);
        for (Index coil = 0; coil < coil_count; ++coil) {
            for (Index m = 0; m < readout_count * length; ++m) {
                const double signal = m % length == length / 2 ? 1e4 : 1;
                add(coil, m, noise(random) + 0.01 * signal, signal);
            }
        }
    }
    void add(Index coil, Index m, double left, double signal) {
        shares.of_coils[coil] += left;
        shares.of_samples[m] += left;
        shares.predicted_of_coils[coil] += signal;
        shares.predicted_of_samples[m] += signal;
        shares.data_of_coils[coil] += left + signal;
    }
    std::string text() const {
        std::string text;
        for (const CheckFinding& finding : judge_residual(shares, site)) {
            text += finding.kind + ": " + finding.text + "\n";
        }
        return text;
    }
};

TEST(ResidualJudgement, NoiseAndErrorsThatFollowTheSignalAreFine) { EXPECT_EQ(Fit().text(), ""); }

TEST(ResidualJudgement, EndsOfAllReadoutsThatDoNotFitAreNamed) {
    Fit fit;
    for (Index readout = 0; readout < readout_count; ++readout) {
        for (Index coil = 0; coil < coil_count; ++coil) {
            fit.add(coil, readout * length, 40, 0);
            fit.add(coil, readout * length + 1, 15, 0);
        }
    }
    const std::string text = fit.text();
    EXPECT_NE(text.find("residual_place: the first 2 samples of every readout do not fit"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
    for (Index readout = 0; readout < readout_count; ++readout) {
        fit.add(0, readout * length + length - 1, 200, 0);
    }
    EXPECT_NE(fit.text().find("the last sample of every readout does not fit"), std::string::npos) << fit.text();
    fit.site.rim_places = {length - 1};
    EXPECT_EQ(fit.text().find("the last sample"), std::string::npos) << fit.text();
}

/// Beside what is expected there: more, where there is more signal.
TEST(ResidualJudgement, EndsAreComparedByWhatIsExpectedOfThem) {
    Fit fit;
    for (Index readout = 0; readout < readout_count; ++readout) {
        for (Index coil = 0; coil < coil_count; ++coil) {
            fit.add(coil, readout * length, 40 * 11, 1e3);
        }
    }
    EXPECT_NE(fit.text().find("the first sample of every readout does not fit"), std::string::npos) << fit.text();
}

/// As signal that decays or turns leaves it, of a real spiral.
TEST(ResidualJudgement, WhatFadesFromPlaceToPlaceIsNoneOfTheEnds) {
    Fit fit;
    for (Index readout = 0; readout < readout_count; ++readout) {
        for (Index place = 0; place < 8; ++place) {
            for (Index coil = 0; coil < coil_count; ++coil) {
                fit.add(coil, readout * length + place, 20 * std::pow(0.8, static_cast<double>(place)), 0);
            }
        }
    }
    EXPECT_EQ(fit.text(), "");
}

TEST(RimPlaces, AreThoseAtTheEdgeInAllReadouts) {
    Trajectory trajectory;  // two half-spokes to the edge of 16 x 8, one of which ends before
    for (Index m = 0; m < 9; ++m) {
        trajectory.k[0].push_back(static_cast<double>(m));
        trajectory.k[1].push_back(0);
    }
    for (Index m = 0; m < 9; ++m) {
        trajectory.k[0].push_back(0);
        trajectory.k[1].push_back(-0.48 * static_cast<double>(m));
    }
    trajectory.k[2].assign(18, 0.0);
    EXPECT_EQ(rim_places(trajectory, {16, 8, 1}, 9), (std::vector<Index>{6, 7, 8}));
    trajectory.k[1].back() = 0;
    EXPECT_EQ(rim_places(trajectory, {16, 8, 1}, 9), (std::vector<Index>{6, 7}));
    EXPECT_TRUE(rim_places(trajectory, {16, 8, 1}, 0).empty());
}

TEST(ResidualJudgement, ACoilThatDoesNotFitIsNamedAsTheFileCallsIt) {
    Fit fit;
    fit.site.coil_numbers = {0, 1, 3, 4, 5, 6};
    fit.shares.of_coils[2] += fit.shares.predicted_of_coils[2];
    const std::string text = fit.text();
    EXPECT_NE(text.find("residual_coil: coil 3 does not fit"), std::string::npos) << text;
    EXPECT_NE(text.find("`drop_coils` 3"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

/// With one map of the opposite sign the image fits none of them, and the coil that it fits least may be a right one.
TEST(ResidualJudgement, ACoilIsNotToBeLeftOutWhereTheOthersDoNotFitEither) {
    Fit fit;
    for (std::size_t coil = 0; coil < fit.shares.of_coils.size(); ++coil) {
        fit.shares.of_coils[coil] += (coil == 2 ? 30 : 0.3) * fit.shares.predicted_of_coils[coil];
    }
    const std::string text = fit.text();
    EXPECT_NE(text.find("residual_coil: coil 2 does not fit"), std::string::npos) << text;
    EXPECT_EQ(text.find("`drop_coils`"), std::string::npos) << text;
}

TEST(ResidualJudgement, AReadoutThatDoesNotFitIsNamed) {
    Fit fit;
    fit.site.frame = " of frame 2";
    for (Index m = 17 * length; m < 18 * length; ++m) {
        fit.shares.of_samples[m] += 4 * fit.shares.predicted_of_samples[m];  // of the opposite sign
    }
    const std::string text = fit.text();
    EXPECT_NE(text.find("residual_readout: readout 17 of frame 2 does not fit"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

TEST(ResidualJudgement, LinesAtTheRimMayHoldWhatTheObjectHasBeyondTheBand) {
    Fit fit;  // lines of signal 1e4 each
    const auto leave = [&](double part) {
        for (Index m = 17 * length; m < 18 * length; ++m) {
            fit.shares.of_samples[m] = part * part * fit.shares.predicted_of_samples[m];
        }
    };
    leave(0.4);
    EXPECT_NE(fit.text(), "");
    fit.site.rim_readouts = {0, 17};
    leave(0.25);
    EXPECT_EQ(fit.text(), "");
    leave(2);
    EXPECT_NE(fit.text().find("readout 17 does not fit"), std::string::npos) << fit.text();

    Trajectory trajectory;
    for (const double ky : {-4.0, -3.0, -2.0, 2.5, 3.0, 3.5}) {
        trajectory.k[0].insert(trajectory.k[0].end(), {-4.0, 0.0, 4.0});
        trajectory.k[1].insert(trajectory.k[1].end(), {ky, ky, ky});
        trajectory.k[2].insert(trajectory.k[2].end(), {0.0, 0.0, 0.0});
    }
    EXPECT_EQ(rim_readouts(trajectory, {8, 8, 1}, 3), (std::vector<Index>{0, 1, 4, 5}));
    EXPECT_TRUE(rim_readouts(trajectory, {8, 8, 1}, 0).empty());
}

TEST(ResidualJudgement, SpikesAreToldFromBrokenReadouts) {
    Fit fit;
    fit.shares.of_samples[5 * length + 30] += 1e5;
    const std::string text = fit.text();
    EXPECT_NE(text.find("spike: spikes at sample 30 of readout 5"), std::string::npos) << text;
    EXPECT_EQ(text.find("residual_readout"), std::string::npos) << text;
}

TEST(ResidualJudgement, AResidualOfMostOfTheDataIsToldUnlessItIsNoise) {
    Fit fit;
    for (double& left : fit.shares.of_coils) {
        left *= 80;
    }
    EXPECT_NE(fit.text().find("residual: the image leaves"), std::string::npos) << fit.text();
    fit.site.noise_sigma = 20;
    EXPECT_EQ(fit.text(), "");
}

TEST(ResidualJudgement, FarBelowTheSignalNothingIsWorthAWord) {
    Fit fit;
    for (std::vector<double>* left : {&fit.shares.of_coils, &fit.shares.of_samples}) {
        std::transform(left->begin(), left->end(), left->begin(), [](double energy) { return 1e-6 * energy; });
    }
    fit.shares.of_coils[1] *= 100;
    for (Index m = 4 * length; m < 5 * length; ++m) {
        fit.shares.of_samples[m] *= 100;
    }
    EXPECT_EQ(fit.text(), "");
}

TEST(ResidualJudgement, NumbersThatAreNotFiniteSayNothing) {
    Fit fit;
    fit.shares.of_samples[3] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(fit.text(), "");
}

}  // namespace
}  // namespace recon
