// Gradient delays that are known: positions are moved so that the data are of late gradients.
#include "app/reconstruction/check/delay_finding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "app/reconstruction/gradients/gradient_correction.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

Scan radial_scan(const PerAxis<Index>& matrix, double snr, bool has_maps = true,
                 const std::string& trajectory = "radial") {
    SimulationOptions options;
    options.request.matrix_size = matrix;
    options.trajectory = trajectory;
    options.request.undersampling = 2;
    options.coil_count = 4;
    options.snr = snr;
    Scan scan = simulate_scan(options).scan;
    if (!has_maps) {
        scan.coil_maps.clear();
    }
    return scan;
}

/// As if its gradients had come late by as much.
Scan late_by(const GradientDelays& delays, Scan scan) {
    GradientDelays earlier = delays;
    for (PerAxis<double>* const elements : {&earlier.samples, &earlier.cross}) {
        for (double& element : *elements) {
            element = -element;
        }
    }
    move_by_delays(scan, earlier);
    return scan;
}

void expect_near(const GradientDelays& found, const GradientDelays& late, double most) {
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(found.samples[i], late.samples[i], most) << found.text();
        EXPECT_NEAR(found.cross[i], late.cross[i], most) << found.text();
    }
}

TEST(DelaysOfVolumes, AreFound) {
    const auto backend = make_cpu_backend();
    const GradientDelays small{{0.5, -0.3, 0.2}, {0, 0, 0}}, large{{1.0, -1.4, 0.3}, {0, 0.2, 0}};
    const Scan exact = radial_scan({22, 22, 22}, 60), noisy = radial_scan({24, 20, 22}, 8);
    const Scan without_maps = radial_scan({22, 22, 22}, 30, false);
    const auto found = [&](const Scan& scan) { return estimate_delays(scan, scan.frames.front(), *backend).delays; };
    expect_near(found(late_by(small, exact)), small, 0.02);
    expect_near(found(late_by(large, exact)), large, 0.02);
    expect_near(found(late_by(small, without_maps)), small, 0.03);
    expect_near(found(late_by(large, noisy)), large, 0.1);
}

TEST(DelaysOfVolumes, OfGoodScansAreNotFound) {
    const auto backend = make_cpu_backend();
    for (const double snr : {4.0, 30.0}) {
        for (const bool has_maps : {true, false}) {
            const Scan scan = radial_scan({22, 20, 24}, snr, has_maps);
            EXPECT_FALSE(gradient_delay_finding(scan, scan.frames.front(), *backend)) << snr << has_maps;
        }
    }
}

/// Signal that dies away from readout to readout, and one that drifts in phase: the centre differs, the delays are
/// none.
TEST(DelaysOfVolumes, AreNotWhatElseChangesTheCentre) {
    const auto backend = make_cpu_backend();
    Scan decaying = radial_scan({22, 22, 22}, 30), drifting = decaying;
    const Index count = decaying.frames[0].sample_count();
    for (Index i = 0; i < 4 * count; ++i) {
        const double part = static_cast<double>(i % count) / static_cast<double>(count);
        decaying.frames[0].kspace[i] *= static_cast<float>(1 - 0.7 * part);
        drifting.frames[0].kspace[i] *= cfloat(std::polar(1.0, std::numbers::pi * part));
    }
    EXPECT_FALSE(gradient_delay_finding(decaying, decaying.frames.front(), *backend));
    EXPECT_FALSE(gradient_delay_finding(drifting, drifting.frames.front(), *backend));
}

TEST(CorrectedDelays, MoveTheSamplesOfAllFrames) {
    const auto backend = make_cpu_backend();
    for (const PerAxis<Index>& matrix : {PerAxis<Index>{48, 48, 1}, PerAxis<Index>{22, 22, 22}}) {
        const Scan right = radial_scan(matrix, 40);
        Scan scan = late_by({{0.7, -0.4, 0}, {0, 0, 0}}, right);
        scan.frames.push_back(scan.frames.front());
        std::vector<std::string> applied;
        const CorrectedDelays done = correct_delays(scan, Mending::automatic, *backend, applied);
        ASSERT_TRUE(done.estimate);
        EXPECT_EQ(applied.size(), 1U);
        ASSERT_EQ(done.findings.size(), 1U);
        EXPECT_EQ(done.findings[0].kind, "gradient_delays");
        EXPECT_EQ(scan.frames[0].trajectory, scan.frames[1].trajectory);
        double largest = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (std::size_t m = 0; m < right.frames[0].trajectory->k[axis].size(); ++m) {
                largest = std::max(
                    largest, std::abs(scan.frames[1].trajectory->k[axis][m] - right.frames[0].trajectory->k[axis][m]));
            }
        }
        EXPECT_LT(largest, 0.05);
    }
}

/// As if all gradients had come late by so many samples: readouts wait at the centre, and get to places later.
Scan with_late_data(Index late, Scan scan) {
    const Index length = scan.samples_per_readout;
    std::vector<cfloat> kspace(scan.frames[0].kspace.begin(), scan.frames[0].kspace.end());
    for (Index begin = 0; begin < std::ssize(kspace); begin += length) {
        for (Index s = length - 1; s >= 0; --s) {
            kspace[static_cast<std::size_t>(begin + s)] =
                kspace[static_cast<std::size_t>(begin + std::max<Index>(s - late, 0))];
        }
    }
    scan.frames[0].kspace = std::move(kspace);
    return scan;
}

TEST(CorrectedDelays, OfReadoutsFromTheCentre) {
    const auto backend = make_cpu_backend();
    for (const bool is_volume : {false, true}) {
        const Index late = is_volume ? 2 : 4;
        const Scan right =
            is_volume ? radial_scan({24, 24, 24}, 60, true, "cones") : radial_scan({64, 64, 1}, 60, true, "spiral");
        std::vector<std::string> applied;
        Scan scan = right;
        EXPECT_FALSE(correct_delays(scan, Mending::automatic, *backend, applied).estimate);
        EXPECT_EQ(scan.frames[0].trajectory, right.frames[0].trajectory);
        scan = with_late_data(late, right);
        const CorrectedDelays done = correct_delays(scan, Mending::automatic, *backend, applied);
        ASSERT_TRUE(done.estimate);
        ASSERT_EQ(done.findings.size(), 1U);
        EXPECT_NE(done.findings[0].text.find("around the centre of k-space"), std::string::npos);
        for (std::size_t axis = 0; axis < (is_volume ? 3 : 2); ++axis) {
            EXPECT_NEAR(done.estimate->delays.samples[axis], late, 0.1 * static_cast<double>(late))
                << done.estimate->delays.text();
        }
        EXPECT_NE(scan.frames[0].trajectory, right.frames[0].trajectory);
    }
}

/// Receivers that have not settled.
TEST(CorrectedDelays, AreNoneWhereFirstSamplesAreWrongWhichAreLeftOut) {
    const auto backend = make_cpu_backend();
    Scan scan = radial_scan({64, 64, 1}, 60, true, "spiral");
    scan.frames.push_back(scan.frames.front());
    const Index length = scan.samples_per_readout, readouts = scan.frames[0].sample_count() / length;
    for (Frame& frame : scan.frames) {
        std::vector<cfloat> kspace(frame.kspace.begin(), frame.kspace.end());
        for (Index begin = 0; begin < std::ssize(kspace); begin += length) {
            kspace[static_cast<std::size_t>(begin)] *= 0.5F;
        }
        frame.kspace = std::move(kspace);
    }
    const auto finding = gradient_delay_finding(scan, scan.frames.front(), *backend);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->kind, "first_samples");
    std::vector<std::string> applied;
    const CorrectedDelays done = correct_delays(scan, Mending::automatic, *backend, applied);
    EXPECT_FALSE(done.estimate);
    ASSERT_EQ(done.findings.size(), 1U);
    EXPECT_EQ(done.findings[0].kind, "first_samples");
    EXPECT_EQ(applied, std::vector<std::string>{"first samples of every readout left out: 2"});
    for (const Frame& frame : scan.frames) {
        EXPECT_EQ(frame.sample_count(), readouts * (length - 2));
    }
    EXPECT_FALSE(gradient_delay_finding(scan, scan.frames.front(), *backend));
}

TEST(CorrectedDelays, ThatWereAskedForAreNoFindingAndNeedReadoutsThatTell) {
    const auto backend = make_cpu_backend();
    std::vector<std::string> applied;
    Scan scan = late_by({{0.7, -0.4, 0}, {0, 0, 0}}, radial_scan({48, 48, 1}, 40));
    const CorrectedDelays done = correct_delays(scan, Mending::asked, *backend, applied);
    EXPECT_TRUE(done.estimate);
    EXPECT_TRUE(done.findings.empty());
    Scan lines = radial_scan({48, 48, 1}, 40, true, "cartesian");
    EXPECT_THROW(correct_delays(lines, Mending::asked, *backend, applied), InputError);
    EXPECT_FALSE(correct_delays(lines, Mending::automatic, *backend, applied).estimate);
}

/// The last readout of the second frame is cut off: what moves whole readouts cannot move it.
TEST(CorrectedDelays, AreNoneWhereAReadoutIsCutOff) {
    const auto backend = make_cpu_backend();
    for (const PerAxis<Index>& matrix : {PerAxis<Index>{48, 48, 1}, PerAxis<Index>{22, 22, 22}}) {
        Scan scan = late_by({{0.7, -0.4, 0}, {0, 0, 0}}, radial_scan(matrix, 40));
        scan.frames.push_back(scan.frames.front());
        auto cut = std::make_shared<Trajectory>(*scan.frames[1].trajectory);
        for (std::vector<double>& k : cut->k) {
            k.resize(k.size() - 3);
        }
        scan.frames[1].trajectory = cut;
        std::vector<std::string> applied;
        EXPECT_FALSE(correct_delays(scan, Mending::automatic, *backend, applied).estimate);
        std::swap(scan.frames[0], scan.frames[1]);
        EXPECT_THROW(estimate_delays(scan, scan.frames.front(), *backend), InputError);
    }
}

}  // namespace
}  // namespace recon
