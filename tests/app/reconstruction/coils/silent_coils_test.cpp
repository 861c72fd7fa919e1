// Coils that measured nothing, in all frames or in some.
#include "app/reconstruction/coils/silent_coils.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "app/reconstruction/coils/coil_preparation.hpp"
#include "app/reconstruction/reconstruction.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

Scan series_of(Index frames) {
    SimulationOptions options;
    options.trajectory = "golden-radial";
    options.request.matrix_size = {48, 48, 1};
    options.coil_count = 5;
    options.frame_count = frames;
    options.snr = 30;
    return simulate_scan(options).scan;
}

std::vector<FrameResult> images(Scan& scan, const Team& team) {
    ReconstructOptions options;
    options.regularisation.scan = ScanPrior::none;
    options.measure_accuracy = false;
    RunControl control;
    return reconstruct(scan, team, options, control);
}

void silence(Scan& scan, std::size_t frame, std::ptrdiff_t coil) {
    const auto samples = static_cast<std::ptrdiff_t>(scan.frames[frame].sample_count());
    std::fill_n(scan.frames[frame].kspace.begin() + coil * samples, samples, cfloat(0));
}

/// It still has a map, which would want data where there are none. Other frames have all of it, the first one's or not.
TEST(SilentCoils, OfOneFrameSeeNothingThereAndAllElsewhere) {
    const Scan whole = series_of(3);
    const auto image_of_alone = [](const Scan& scan, std::size_t frame) {
        Scan alone = scan;
        alone.frames = {scan.frames[frame]};
        return images(alone, test::cpu_team(1)).front().image;
    };
    const auto difference = [](const std::vector<cfloat>& found, const std::vector<cfloat>& expected) {
        return test::relative_difference({found.begin(), found.end()}, {expected.begin(), expected.end()});
    };
    for (const std::size_t lacking : {0, 1}) {
        Scan scan = whole;
        silence(scan, lacking, 2);
        for (const int ranks : {1, 2}) {
            SCOPED_TRACE(std::to_string(lacking) + " of " + std::to_string(ranks));
            Scan series = scan;
            const std::vector<FrameResult> of_series = images(series, test::cpu_team(ranks));
            EXPECT_LT(difference(of_series[lacking].image, image_of_alone(scan, lacking)), 1e-3);
            EXPECT_LT(difference(of_series[2].image, image_of_alone(whole, 2)), 1e-3);
        }
    }
}

TEST(SilentCoils, AreLeftOutIfTheyAreSilentThroughout) {
    CoilOptions mixed;
    mixed.noise_covariance.assign(25, 0);
    for (const CoilOptions& options : {CoilOptions(), mixed}) {
        Scan scan = series_of(3);
        EXPECT_FALSE(silent_coils(scan, options).some_fall_silent);
        silence(scan, 0, 2);
        EXPECT_TRUE(silent_coils(scan, options).left_out.empty());
        EXPECT_TRUE(silent_coils(scan, options).some_fall_silent);
        silence(scan, 1, 2);
        silence(scan, 2, 2);
        EXPECT_EQ(silent_coils(scan, options).left_out, std::vector<Index>{2});
        EXPECT_FALSE(silent_coils(scan, options).some_fall_silent);
    }
}

/// In mixtures one that is silent in a frame cannot be told any more: zeros would count as measured.
TEST(SilentCoils, ThatAreSoInSomeFramesAreNotMixed) {
    Scan scan = series_of(3);
    silence(scan, 1, 2);
    const Index length = 4096;
    scan.noise.resize(static_cast<std::size_t>(5 * length));
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    for (Index m = 0; m < length; ++m) {
        const cfloat shared(normal(random), normal(random));
        for (Index coil = 0; coil < 5; ++coil) {
            scan.noise[static_cast<std::size_t>(coil * length + m)] = shared + cfloat(normal(random), normal(random));
        }
    }
    ReconstructOptions options;
    options.regularisation.scan = ScanPrior::scan;
    RunControl control;
    const PreparedCoils prepared = prepare_coils(scan, options, control);
    EXPECT_TRUE(prepared.whitening);
    const auto samples = static_cast<std::ptrdiff_t>(scan.frames[1].sample_count());
    const auto first = scan.frames[1].kspace.begin() + 2 * samples;
    EXPECT_TRUE(std::all_of(first, first + samples, [](cfloat value) { return value == cfloat(0); }));
}

}  // namespace
}  // namespace recon
