// Transforms as accurate as the noise deserves.
#include "app/reconstruction/tolerance/tolerance_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/reconstruction/reconstruction.hpp"
#include "core/base/log.hpp"
#include "core/base/log_binding.hpp"
#include "core/devices/device_choice.hpp"
#include "core/mri/noise/noise_level.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "data/simulation/simulate_series.hpp"
#include "tests/app/reconstruction/scan_prior/scan_prior_cases.hpp"
#include "tests/support/cpu_team.hpp"

namespace recon {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Case {
    std::string name;
    std::string trajectory;
    PerAxis<Index> matrix_size;
    double snr;
    double undersampling = 1;
    Index noise_samples = 0;
};

Scan scan_of(const Case& c, std::uint64_t seed = 1) {
    SimulationOptions options;
    options.trajectory = c.trajectory;
    options.request.matrix_size = c.matrix_size;
    options.request.undersampling = c.undersampling;
    options.coil_count = 3;
    options.snr = c.snr;
    options.seed = seed;
    options.noise_sample_count = c.noise_samples;
    return simulate_scan(options).scan;
}

ReconstructOptions automatic_options() {
    ReconstructOptions options;
    options.tolerance_from_noise = true;
    options.measure_accuracy = false;
    options.cg.iterations = 20;
    options.sums = SumsMethod::nufft;  // which small scans would not take by themselves
    return options;
}

FrameResult result_of(Scan scan, const ReconstructOptions& options) {
    RunControl control;
    const auto backend = make_backend("cpu");
    return reconstruct(scan, *backend, options, control).front();
}

double distance(const std::vector<cfloat>& a, const std::vector<cfloat>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += std::norm(cdouble(a[i]) - cdouble(b[i]));
    }
    return std::sqrt(sum);
}

class AutomaticTolerance : public ::testing::TestWithParam<Case> {};

/// Two scans that differ in their noise alone tell what it does: their images are apart by sqrt(2) of it.
TEST_P(AutomaticTolerance, ChangesTheImageByLessThanAFiftiethOfTheNoise) {
    const Scan scan = scan_of(GetParam());
    const FrameResult automatic = result_of(scan, automatic_options());
    ReconstructOptions options = automatic_options();
    options.tolerance = 1e-6;
    const FrameResult exact = result_of(scan, options);
    const FrameResult other_noise = result_of(scan_of(GetParam(), 2), options);
    const double noise = distance(exact.image, other_noise.image) / std::sqrt(2.0);
    EXPECT_LT(distance(automatic.image, exact.image), 0.02 * noise);
    EXPECT_GE(automatic.tolerance.tolerance, 5e-6);
    EXPECT_LE(automatic.tolerance.tolerance, 1e-2);
    EXPECT_EQ(exact.tolerance.source, "given");
}

INSTANTIATE_TEST_SUITE_P(, AutomaticTolerance,
                         ::testing::Values(Case{"Radial", "radial", {48, 48, 1}, 10},
                                           Case{"RadialOfLittleNoise", "radial", {48, 48, 1}, 50},
                                           Case{"RadialOfFewReadouts", "golden-radial", {64, 64, 1}, 20, 3},
                                           Case{"Spiral", "spiral", {48, 48, 1}, 20},
                                           Case{"SpiralWithNoiseAcquisitions", "spiral", {48, 48, 1}, 20, 1, 4000},
                                           Case{"RadialIn3d", "radial", {20, 20, 20}, 15},
                                           Case{"Cones", "cones", {20, 20, 20}, 15}),
                         [](const auto& info) { return info.param.name; });

ChosenTolerance choice_of(Scan scan, const ReconstructOptions& options) {
    RunControl control;
    return choose_tolerance(scan, options, control);
}

/// Between the turns of such a spiral the prior alone decides, and nothing holds against an F^H d that no image has.
TEST(ToleranceChoice, IsOfQAloneAsGapsOfKSpaceTakeNoError) {
    const Scan scan = test::simulate({"spiral", {128, 128, 1}, 1, 30, 2}, "shepp-logan").scan;
    ReconstructOptions options = automatic_options();
    options.regularisation.scan = ScanPrior::scan;
    const FrameResult automatic = result_of(scan, options);
    options.tolerance = 1e-6;
    const FrameResult exact = result_of(scan, options);
    EXPECT_GE(automatic.tolerance.tolerance, 1e-4);
    EXPECT_LT(distance(automatic.image, exact.image),  // 0.33 with such an F^H d
              0.1 * distance(exact.image, std::vector<cfloat>(exact.image.size())));
}

TEST(ToleranceChoice, IsTightWithoutNoise) {
    for (const char* trajectory : {"radial", "spiral", "cartesian"}) {
        EXPECT_EQ(choice_of(scan_of({"", trajectory, {48, 48, 1}, infinite}), automatic_options()).tolerance, 1e-6)
            << trajectory;
    }
}

TEST(ToleranceChoice, FollowsTheNoiseWhereverItIsKnownFrom) {
    const Case c{"", "spiral", {48, 48, 1}, 10};
    const ChosenTolerance of_data = choice_of(scan_of(c), automatic_options());
    EXPECT_THAT(of_data.source, ::testing::HasSubstr("readouts"));
    ReconstructOptions given = automatic_options();
    given.regularisation.lambda.noise_sigma = 1e-3;
    const ChosenTolerance of_option = choice_of(scan_of(c), given);
    EXPECT_EQ(of_option.source, "noise_sigma");
    EXPECT_LT(of_option.tolerance, 0.1 * of_data.tolerance);
    Case with_noise = c;
    with_noise.noise_samples = 1000;
    EXPECT_EQ(choice_of(scan_of(with_noise), automatic_options()).source, "noise acquisitions");
    given.regularisation.lambda.noise_sigma = 1e9;
    EXPECT_LE(choice_of(scan_of(c), given).tolerance, 1e-2);
}

TEST(ToleranceChoice, LeavesAloneWhatWasAskedFor) {
    const Scan scan = scan_of({"", "radial", {32, 32, 1}, 10});
    ReconstructOptions options = automatic_options();
    options.tolerance = 3e-5;
    EXPECT_EQ(choice_of(scan, options).tolerance, 3e-5);
    EXPECT_EQ(choice_of(scan, options).source, "given");
    options = automatic_options();
    options.precision = Precision::double_;
    EXPECT_EQ(choice_of(scan, options).tolerance, 1e-12);
    options = automatic_options();
    options.sums = SumsMethod::exact;
    EXPECT_EQ(choice_of(scan, options).source, "precision");
}

TEST(ToleranceChoice, IsTheSameOnAllRanksAndForAllFrames) {
    SimulationOptions simulation;
    simulation.trajectory = "golden-radial";
    simulation.request.matrix_size = {32, 32, 1};
    simulation.coil_count = 3;
    simulation.frame_count = 3;
    Scan scan = simulate_series(simulation).scan;
    Scan same = scan;
    RunControl control;
    const std::vector<FrameResult> many = reconstruct(scan, test::cpu_team(2), automatic_options(), control);
    const std::vector<FrameResult> one = reconstruct(same, test::cpu_team(1), automatic_options(), control);
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(many[i].tolerance.tolerance, one[0].tolerance.tolerance);
        EXPECT_LT(distance(many[i].image, one[i].image), 1e-4 * distance(one[i].image, std::vector<cfloat>(32 * 32)));
    }
    EXPECT_GT(one[0].tolerance.tolerance, 1e-6);
}

TEST(NoiseTolerance, ANoiseLevelFarFromWhatTheScanShowsIsWarnedOf) {
    const Scan scan = scan_of({"", "radial", {48, 48, 1}, 20});
    for (const double factor : {0.02, 1.0, 50.0}) {
        Scan again = scan;
        ReconstructOptions options = automatic_options();
        RunControl control;
        options.regularisation.lambda.noise_sigma =
            factor * noise_level_of_edges({scan.frames[0].kspace, scan.coil_count}, *scan.frames[0].trajectory,
                                          scan.geometry.matrix_size, scan.samples_per_readout)
                         .sigma;
        Log log(LogLevel::off);
        const LogBinding bound(&log);
        choose_tolerance(again, options, control);
        const auto lines = log_history();
        EXPECT_EQ(std::ranges::any_of(
                      lines, [](const auto& line) { return line.find("is far from the") != std::string::npos; }),
                  factor != 1)
            << ::testing::PrintToString(lines);
    }
}

}  // namespace
}  // namespace recon
