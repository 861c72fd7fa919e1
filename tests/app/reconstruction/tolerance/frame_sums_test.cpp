// Which sums a frame is computed by.
#include "app/reconstruction/context/frame_sums.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <set>

#include "app/reconstruction/reconstruction.hpp"
#include "core/devices/device_choice.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

class SumsOfFrames : public ::testing::Test {
protected:
    std::optional<SumsChoice> beside_noise(const ReconstructOptions& options, Index coil_count = 8) {
        return FrameSums::choose(*backend_, options, {96, 96, 96}, 1'000'000, coil_count).beside_noise;
    }
    static ReconstructOptions noisy() {
        ReconstructOptions options;
        options.normal_tolerance = 1e-4;
        options.regularisation.scan = ScanPrior::scan;
        return options;
    }

    std::unique_ptr<Backend> backend_ = make_backend("cpu");
};

TEST_F(SumsOfFrames, AreRightBesideTheNoiseWhereThatSavesTime) {
    EXPECT_TRUE(beside_noise(noisy()));
    ReconstructOptions without_noise = noisy();
    without_noise.normal_tolerance = 0;
    EXPECT_FALSE(beside_noise(without_noise));
    ReconstructOptions given = noisy();
    given.tolerance = 1e-4;
    EXPECT_FALSE(beside_noise(given));
    ReconstructOptions exact = noisy();
    exact.sums = SumsMethod::exact;
    EXPECT_FALSE(beside_noise(exact));
}

TEST_F(SumsOfFrames, AreTheSameForAnyNumberOfThreads) {
    const int before = omp_get_max_threads();
    std::set<bool> chosen;
    for (const Index n : {16, 24, 32, 48, 64}) {
        std::set<bool> of_size;
        for (const int threads : {1, 2, 7, 16, 128}) {
            omp_set_num_threads(threads);
            of_size.insert(FrameSums::choose(*backend_, noisy(), {n, n, n}, n * n * n, 8).beside_noise.has_value());
        }
        EXPECT_EQ(of_size.size(), 1U) << n;
        chosen.merge(of_size);
    }
    omp_set_num_threads(before);
    EXPECT_EQ(chosen.size(), 2U) << "there was something to choose";
}

TEST_F(SumsOfFrames, TellTheResidualAsAccuratelyAsTheNoiseAsks) {
    SimulationOptions simulation;
    simulation.trajectory = "radial";
    simulation.request.matrix_size = {32, 32, 32};
    simulation.coil_count = 4;
    simulation.snr = 10;
    const Scan scan = simulate_scan(simulation).scan;
    ReconstructOptions options;
    options.sums = SumsMethod::nufft;
    options.tolerance_from_noise = true;
    options.measure_accuracy = false;
    options.regularisation.scan = ScanPrior::scan;
    const auto result_of = [&](const ReconstructOptions& asked) {
        RunControl control;
        Scan copy = scan;
        return reconstruct(copy, *backend_, asked, control).front();
    };
    const FrameResult automatic = result_of(options);
    options.tolerance = 1e-6;
    const FrameResult tight = result_of(options);
    EXPECT_GE(automatic.tolerance.tolerance, 1e-5);
    // Such sums add at most a fiftieth of the noise's error to the image, less the margin of 3-D, and their square to
    // an energy; the predicted error is that of solutions that stop 1 % before their end, a rounding apart.
    EXPECT_NEAR(automatic.data_residual, tight.data_residual, 1e-3 * tight.data_residual);
    EXPECT_NEAR(automatic.scan->noise.sigma, tight.scan->noise.sigma, 1e-3 * tight.scan->noise.sigma);
    EXPECT_NEAR(automatic.scan->predicted_error, tight.scan->predicted_error, 1e-2 * tight.scan->predicted_error);
}

}  // namespace
}  // namespace recon
