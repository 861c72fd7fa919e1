// Which frame of a series shows the coils, and that a dark first frame does not spoil the images of the others.
#include "app/reconstruction/frames/clearest_frames.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "app/reconstruction/reconstruction.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"

namespace recon {
namespace {

struct Look {
    double brightness = 1;
    double noise = 1;  ///< in times of that of SNR 20
};

/// Frames of one object on one trajectory, without coil maps.
Scan series_of(const std::vector<Look>& looks, Index coil_count = 6) {
    SimulationOptions simulated;
    simulated.trajectory = "golden-radial";
    simulated.request.matrix_size = {40, 40, 1};
    simulated.coil_count = coil_count;
    simulated.store_coil_maps = false;
    simulated.snr = std::numeric_limits<double>::infinity();
    const Simulation simulation = simulate_scan(simulated);
    Scan scan = simulation.scan;
    const Frame clean = scan.frames.front();
    std::mt19937 generator(11);
    std::normal_distribution<double> normal(0, noise_standard_deviation(simulation.truth, 20) * std::sqrt(0.5));
    scan.frames.clear();
    for (const Look& look : looks) {
        Frame frame = clean;
        frame.label.repetition = std::ssize(scan.frames);
        for (cfloat& value : frame.kspace) {
            const double real = look.noise * normal(generator), imaginary = look.noise * normal(generator);
            value = static_cast<cfloat>(look.brightness * cdouble(value) + cdouble(real, imaginary));
        }
        scan.frames.push_back(std::move(frame));
    }
    return scan;
}

std::vector<FrameResult> images_of(Scan scan, int rank_count = 1, RankDivision divide = RankDivision::automatic) {
    ReconstructOptions options;
    options.measure_accuracy = false;
    options.regularisation.scan = ScanPrior::scan;
    options.divide = divide;
    RunControl control;
    return reconstruct(scan, test::cpu_team(rank_count), options, control);
}

/// |a - b| / |b|
double distance(const std::vector<cfloat>& a, const std::vector<cfloat>& b) {
    double difference = 0, all = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        difference += std::norm(a[i] - b[i]);
        all += std::norm(b[i]);
    }
    return std::sqrt(difference / all);
}

std::size_t clearest_of(Scan scan) { return clearest_frames(scan).at(0).clearest; }

TEST(ClearestFrames, AreTheFirstUnlessItShowsClearlyLess) {
    EXPECT_EQ(clearest_of(series_of({{}, {}, {}})), 0U);
    EXPECT_EQ(clearest_of(series_of({{.noise = 1.2}, {.brightness = 1.2}})), 0U);
    EXPECT_EQ(clearest_of(series_of({{.brightness = 0.02}, {.brightness = 0.02}, {}})), 2U);
    EXPECT_EQ(clearest_of(series_of({{.noise = 20}, {}, {.noise = 20}})), 1U);
    Scan single = series_of({{}});
    EXPECT_TRUE(clearest_frames(single).empty());
}

TEST(ClearestFrames, HaveAsManySamplesAsTheFirst) {
    Scan scan = series_of({{.brightness = 0.02}, {}});
    Frame& second = scan.frames[1];
    auto shorter = std::make_shared<Trajectory>(*second.trajectory);
    for (std::vector<double>& k : shorter->k) {
        k.resize(k.size() / 2);
    }
    second.trajectory = shorter;
    second.kspace.resize(second.kspace.size() / 2);
    EXPECT_EQ(clearest_of(scan), 0U);
}

void shorten(Frame& frame, std::size_t part) {
    const std::size_t count = frame.trajectory->k[0].size(), kept = count / part;
    auto shorter = std::make_shared<Trajectory>(*frame.trajectory);
    for (std::vector<double>& k : shorter->k) {
        k.resize(kept);
    }
    std::vector<cfloat> kspace;
    for (auto coil = frame.kspace.begin(); coil != frame.kspace.end(); coil += static_cast<std::ptrdiff_t>(count)) {
        kspace.insert(kspace.end(), coil, coil + static_cast<std::ptrdiff_t>(kept));
    }
    frame.trajectory = shorter;
    frame.kspace = kspace;
}

TEST(ClearestFrames, AreNotOneThatWasBrokenOff) {
    Scan scan = series_of({{}, {}, {}});
    shorten(scan.frames[0], 10);
    EXPECT_NE(clearest_of(scan), 0U);
    Scan last = series_of({{}, {}, {}});
    shorten(last.frames[2], 10);
    EXPECT_EQ(clearest_of(last), 0U);
}

TEST(ClearestFrames, AreNotOneThatLacksACoilOrIsBrightWithSpikes) {
    Scan scan = series_of({{}, {}, {}});
    std::fill_n(scan.frames[0].kspace.begin(), scan.frames[0].sample_count(), cfloat(0));
    EXPECT_EQ(clearest_of(scan), 1U);
    Scan spiked = series_of({{}, {}});
    const Trajectory& trajectory = *spiked.frames[1].trajectory;
    for (Index m = 0; m < trajectory.sample_count(); m += 40) {
        if (std::hypot(trajectory.k[0][m], trajectory.k[1][m]) < 3) {
            spiked.frames[1].kspace[m] *= 1e4F;
        }
    }
    EXPECT_EQ(clearest_of(spiked), 0U);
}

TEST(ClearestFrames, OfALongSeriesAreFewAndLeaveKspaceWhereItWas) {
    std::vector<Look> looks(12, Look{.brightness = 0.02});
    looks.back() = {};
    Scan on_demand = series_of(looks);
    int readings = 0;
    for (Frame& frame : on_demand.frames) {
        frame.read_kspace = [&readings, kspace = frame.kspace] {
            ++readings;
            return kspace;
        };
        frame.kspace.clear();
    }
    EXPECT_EQ(clearest_frames(on_demand).at(0).clearest, 11U);
    EXPECT_EQ(readings, 5);
    for (std::size_t i = 1; i < on_demand.frames.size(); ++i) {
        EXPECT_TRUE(on_demand.frames[i].kspace.empty()) << i;
    }
}

/// Two discs, of which the frames show one or both.
Scan series_with_discs(const std::vector<std::array<bool, 2>>& shown, double snr) {
    constexpr Index fine = 120;
    SimulationOptions simulated;
    simulated.trajectory = "golden-radial";
    simulated.request.matrix_size = {40, 40, 1};
    simulated.coil_count = 6;
    simulated.store_coil_maps = false;
    simulated.snr = snr;
    const auto backend = make_cpu_backend();
    Scan scan;
    for (const std::array<bool, 2>& discs : shown) {
        Image image;
        image.geometry.matrix_size = {fine, fine, 1};
        for (Index i = 0; i < fine * fine; ++i) {
            const double x = (static_cast<double>(i % fine) + 0.5) / fine - 0.5;
            const double y = (static_cast<double>(i / fine) + 0.5) / fine - 0.5;
            const auto is_in = [&](double centre) { return std::hypot(x - centre, y) < 0.17; };
            image.voxels.emplace_back((discs[0] && is_in(-0.22) ? 1.0F : 0.0F) +
                                      (discs[1] && is_in(0.22) ? 0.8F : 0.0F));
        }
        simulated.seed += 1;
        Scan one = simulate_scan_of(image, *backend, simulated).scan;
        one.frames.front().label.repetition = std::ssize(scan.frames);
        if (scan.frames.empty()) {
            scan = std::move(one);
        } else {
            scan.frames.push_back(std::move(one.frames.front()));
        }
    }
    return scan;
}

TEST(ClearestFrames, AreAccompaniedByThoseThatAreAsClear) {
    Scan scan = series_of({{}, {.brightness = 0.02}, {}, {.noise = 1.1}});
    const ClearFrames frames = clearest_frames(scan).at(0);
    EXPECT_EQ(frames.clearest, 0U);
    EXPECT_EQ(frames.others, (std::vector<std::size_t>{2, 3}));
    Scan broken = series_of({{}, {}, {}});
    shorten(broken.frames[1], 10);
    std::fill_n(broken.frames[2].kspace.begin(), broken.frames[2].sample_count(), cfloat(0));
    EXPECT_TRUE(clearest_frames(broken).at(0).others.empty());
}

/// What is not in the first frame, where its maps are cropped, is in the images of those that have it.
TEST(ClearestFrames, ShowTheCoilsOfWhatIsNotInTheFirst) {
    const Scan series = series_with_discs({{true, false}, {true, true}, {true, true}}, 20);
    Scan alone = series;
    alone.frames.erase(alone.frames.begin(), alone.frames.begin() + 2);
    const std::vector<FrameResult> of_series = images_of(series), of_one = images_of(alone);
    std::vector<cfloat> magnitudes, expected;
    for (std::size_t i = 0; i < of_one[0].image.size(); ++i) {
        magnitudes.emplace_back(std::abs(of_series[2].image[i]));
        expected.emplace_back(std::abs(of_one[0].image[i]));
    }
    EXPECT_LT(distance(magnitudes, expected), 0.1);
}

TEST(ClearestFrames, ShowTheCoilsOfFramesBesideADarkOne) {
    const std::vector<FrameResult> bright_first = images_of(series_of({{}, {.brightness = 0.02}, {}}));
    const std::vector<FrameResult> dark_first = images_of(series_of({{.brightness = 0.02}, {}, {}}));
    EXPECT_LT(distance(dark_first[2].image, bright_first[2].image), 0.02);
}

/// Coils that are told apart in noise alone are all taken for signal, or none.
TEST(ClearestFrames, TellHowManyCoilsHoldSignal) {
    const std::vector<FrameResult> bright = images_of(series_of({{}, {}}, 16));
    const std::vector<FrameResult> dark = images_of(series_of({{.brightness = 0.02}, {}}, 16));
    EXPECT_EQ(dark[1].virtual_coils, bright[1].virtual_coils);
}

TEST(ClearestFrames, AreTheSameHoweverRanksDivideTheFrames) {
    const Scan scan = series_of({{.brightness = 0.02}, {}, {}, {}});
    const std::vector<FrameResult> alone = images_of(scan);
    const std::vector<FrameResult> together = images_of(scan, 2, RankDivision::coils);
    for (std::size_t i = 0; i < alone.size(); ++i) {
        EXPECT_LT(distance(together[i].image, alone[i].image), 1e-3) << i;
    }
}

}  // namespace
}  // namespace recon
