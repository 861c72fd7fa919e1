// The spectrum of frames together: nearer the truth than that of one, and nobody else's.
#include "app/reconstruction/scan_prior/evidence/series_shells.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "app/reconstruction/reconstruction.hpp"
#include "core/mri/priors/power_spectrum.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"

namespace recon {
namespace {

constexpr double sigma = 0.3;

double truth_at(double k_per_mm) { return 1e-4 * std::pow(k_per_mm + 0.005, -3); }

/// One coil's samples of random objects of that spectrum, each frame another.
Scan random_series(Index frame_count) {
    Scan scan;
    scan.geometry = {{32, 32, 1}, {200, 200, 0}, {}};
    auto trajectory = std::make_shared<Trajectory>();
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> uniform(-16, 16);
    for (Index m = 0; m < 1500; ++m) {
        trajectory->k[0].push_back(uniform(generator));
        trajectory->k[1].push_back(uniform(generator));
        trajectory->k[2].push_back(0);
    }
    std::normal_distribution<double> normal(0, std::sqrt(0.5));
    const KspaceShells shells(*trajectory, scan.geometry.matrix_size, scan.geometry.field_of_view_mm);
    for (Index number = 0; number < frame_count; ++number) {
        Frame frame;
        frame.label.repetition = number;
        frame.trajectory = trajectory;
        for (Index m = 0; m < trajectory->sample_count(); ++m) {
            const double size = std::sqrt(truth_at(shells.k_per_mm(*trajectory, m)) + sigma * sigma);
            const double real = normal(generator), imaginary = normal(generator);
            frame.kspace.emplace_back(static_cast<float>(size * real), static_cast<float>(size * imaginary));
        }
        scan.frames.push_back(std::move(frame));
    }
    return scan;
}

/// Root mean square of log P over its truth at the knots.
double error_of(const KspaceShells& shells) {
    const PowerSpectrum found = fit_power_spectrum(shells, {sigma * sigma, 1, 1});
    const std::vector<double> k = found.k_per_mm(), power = found.power();
    double sum = 0;
    for (std::size_t i = 0; i < k.size(); ++i) {
        sum += std::pow(std::log(power[i] / truth_at(k[i])), 2) / static_cast<double>(k.size());
    }
    return std::sqrt(sum);
}

KspaceShells shells_with(const Scan& scan, double frame_count, const SeriesShells::Group& group) {
    const Trajectory& trajectory = *scan.frames.front().trajectory;
    KspaceShells shells(trajectory, scan.geometry.matrix_size, scan.geometry.field_of_view_mm, group.stretch);
    shells.add(trajectory, shells.shells_of(trajectory),
               std::vector<double>(static_cast<std::size_t>(trajectory.sample_count())), {});
    for (std::vector<double>* sums : {&shells.count, &shells.k_sum, &shells.gain}) {
        for (double& sum : *sums) {
            sum *= frame_count;
        }
    }
    shells.energy = group.energy;
    return shells;
}

TEST(SeriesShells, GiveASpectrumNearerTheTruthThanAFrameAlone) {
    Scan series = random_series(8);
    const SeriesShells together(series);
    const SeriesShells::Group* const group = together.of(series.frames[3]);
    ASSERT_NE(group, nullptr);
    EXPECT_EQ(group->frame_count, 8);
    double square = 0;
    for (const Frame& frame : series.frames) {
        Scan pair = series;
        pair.frames = {frame, frame};  // twice one frame is a series of two
        const SeriesShells one(pair);
        square += std::pow(error_of(shells_with(pair, 2, *one.of(pair.frames[0]))), 2) / 8;
    }
    EXPECT_LT(error_of(shells_with(series, 8, *group)), 0.6 * std::sqrt(square));
}

TEST(SeriesShells, AreThoseOfOneSliceAndContrastOnOneTrajectory) {
    Scan series = random_series(5);
    series.frames[1].label.contrast = 1;
    series.frames[2].label.slice = 1;
    series.frames[3].trajectory = std::make_shared<Trajectory>(*series.frames[3].trajectory);
    const SeriesShells shells(series);
    for (const std::size_t alone : {1, 2, 3}) {
        EXPECT_EQ(shells.of(series.frames[alone]), nullptr) << alone;
    }
    ASSERT_NE(shells.of(series.frames[0]), nullptr);
    EXPECT_EQ(shells.of(series.frames[0])->frame_count, 2);
    EXPECT_EQ(shells.of(series.frames[0]), shells.of(series.frames[4]));
}

TEST(SeriesShells, OfKspaceOnDemandAreTheSameAndLeaveItWhereItWas) {
    Scan series = random_series(20);
    const SeriesShells of_memory(series);
    Scan on_demand = series;
    int readings = 0;
    for (Frame& frame : on_demand.frames) {
        frame.read_kspace = [&readings, kspace = frame.kspace] {
            ++readings;
            return kspace;
        };
        frame.kspace.clear();
    }
    const SeriesShells of_file(on_demand);
    EXPECT_EQ(of_file.of(on_demand.frames[0])->energy, of_memory.of(series.frames[0])->energy);
    EXPECT_EQ(readings, 8) << "of a long series not all frames are read twice";
    for (const Frame& frame : on_demand.frames) {
        EXPECT_TRUE(frame.kspace.empty());
    }
}

Scan repetition(unsigned seed, double snr = 5) {
    SimulationOptions simulated;
    simulated.trajectory = "golden-radial";
    simulated.request.matrix_size = {32, 32, 1};
    simulated.coil_count = 2;
    simulated.snr = snr;
    simulated.seed = seed;
    return simulate_scan(simulated).scan;
}

std::vector<FrameResult> reconstructed(Scan scan) {
    ReconstructOptions options;
    options.measure_accuracy = false;
    options.regularisation.scan = ScanPrior::scan;
    RunControl control;
    return reconstruct(scan, test::cpu_team(1), options, control);
}

/// Of two repetitions, object and noise of the second times factors.
Scan two_repetitions(float of_object, float of_noise) {
    Scan scan = repetition(1);
    const std::vector<cfloat> clean = repetition(2, std::numeric_limits<double>::infinity()).frames.front().kspace;
    Frame second = repetition(2).frames.front();
    second.trajectory = scan.frames.front().trajectory;
    second.label.repetition = 1;
    for (std::size_t n = 0; n < clean.size(); ++n) {
        second.kspace[n] = of_object * clean[n] + of_noise * (second.kspace[n] - clean[n]);
    }
    scan.frames.push_back(second);
    return scan;
}

TEST(SeriesShells, FramesShareTheShapeOfTheirSpectrum) {
    const std::vector<FrameResult> results = reconstructed(two_repetitions(0.5F, 1));
    const std::vector<double>&first = results[0].scan->power, &second = results[1].scan->power;
    ASSERT_EQ(first.size(), second.size());
    EXPECT_EQ(results[0].scan->frame_count, 2);
    EXPECT_EQ(results[1].scan->frame_count, 2);
    // Its tail follows the noise that each frame has found.
    for (std::size_t i = 0; i + 4 < first.size(); ++i) {
        EXPECT_NEAR(second[i] / first[i], 0.25, 0.05) << i;
    }
}

/// Voxels four times as long as wide, of a head that is as long: frames are as well told as each of them alone, but for
/// what a stretch that may be 5 % another one moves, noise and unresolved detail.
TEST(SeriesShells, FramesShareAStretch) {
    SimulationOptions simulated;
    simulated.trajectory = "radial";
    simulated.request.matrix_size = {20, 20, 20};
    simulated.request.field_of_view_mm = {160, 160, 640};
    simulated.coil_count = 1;
    simulated.snr = 15;
    Scan series = simulate_scan(simulated).scan;
    simulated.seed = 2;
    Frame second = simulate_scan(simulated).scan.frames.front();
    second.trajectory = series.frames.front().trajectory;
    second.label.repetition = 1;
    series.frames.push_back(second);
    const std::vector<FrameResult> results = reconstructed(series);
    for (const std::size_t i : {0, 1}) {
        Scan alone = series;
        alone.frames = {series.frames[i]};
        const FrameResult one = std::move(reconstructed(alone).front());
        EXPECT_GT(results[i].scan->stretch[2] / results[i].scan->stretch[0], 2) << i;
        EXPECT_NEAR(results[i].scan->stretch[2] / one.scan->stretch[2], 1, 0.05) << i;
        EXPECT_NEAR(results[i].scan->predicted_error / one.scan->predicted_error, 1, 0.08) << i;
    }
}

/// As if the receiver had another gain: the noise of the one is not to be taken for signal of the other.
TEST(SeriesShells, AFrameThatIsUnlikeTheOthersHasItsOwnSpectrum) {
    const Scan scan = two_repetitions(0.5F, 0.5F);
    const std::vector<FrameResult> results = reconstructed(scan);
    EXPECT_EQ(results[1].scan->frame_count, 1);
    Scan alone = scan;
    alone.frames = {scan.frames[1]};
    // Alone it has a stretch of its own.
    const FrameResult one = std::move(reconstructed(alone).front());
    EXPECT_NEAR(results[1].scan->predicted_error / one.scan->predicted_error, 1, 0.1);
    EXPECT_NEAR(results[1].scan->noise.sigma / one.scan->noise.sigma, 1, 0.05);
}

TEST(SeriesShells, AFrameOfItsOwnContrastHasTheBytesOfAFrameAlone) {
    Scan scan = two_repetitions(1, 1);
    scan.frames[1].label = {.contrast = 1};
    const std::vector<FrameResult> results = reconstructed(scan);
    for (const std::size_t i : {0, 1}) {
        Scan alone = scan;
        alone.frames = {scan.frames[i]};
        EXPECT_EQ(reconstructed(alone).front().image, results[i].image) << i;
    }
}

}  // namespace
}  // namespace recon
