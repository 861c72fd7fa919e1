// Calibrations whose samples leave points out: the coils together know what is there.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/reconstruction/coils/calibration_gaps.hpp"
#include "app/reconstruction/coils/coil_estimation.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/log_binding.hpp"
#include "core/mri/coils/espirit.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

constexpr double no_noise = std::numeric_limits<double>::infinity();

Simulation simulated(const std::string& trajectory, const PerAxis<Index>& matrix, Index coils, double undersampling,
                     double snr = no_noise, double oversampling = 2) {
    SimulationOptions options;
    options.trajectory = trajectory;
    options.request.matrix_size = matrix;
    options.request.undersampling = undersampling;
    options.request.readout_oversampling = oversampling;
    options.coil_count = coils;
    options.snr = snr;
    return simulate_scan(options);
}

/// Root mean square of the sine of the angle between estimated and true maps, voxels weighing their energy.
double map_error(const std::vector<cfloat>& maps, const Simulation& simulation) {
    const std::size_t voxels = simulation.truth.size();
    double sum = 0, energy = 0;
    for (std::size_t voxel = 0; voxel < voxels; ++voxel) {
        cdouble along = 0;
        double squares = 0, true_squares = 0;
        for (std::size_t i = voxel; i < maps.size(); i += voxels) {
            const cdouble truth = simulation.scan.coil_maps[i], found = maps[i];
            along += std::conj(found) * truth;
            squares += std::norm(found);
            true_squares += std::norm(truth);
        }
        const double weight = std::norm(cdouble(simulation.truth[voxel]));
        sum += weight * std::max(0.0, 1 - std::norm(along) / std::max(squares * true_squares, 1e-30));
        energy += weight;
    }
    return std::sqrt(sum / energy);
}

/// All its readouts, but 1.15 cycles per FOV between their samples: no cell is empty, and rings are missing.
Simulation radial_of_few_samples() { return simulated("radial", {64, 64, 1}, 6, 1, no_noise, 0.87); }

CalibrationSamples samples_of(const Simulation& simulation) {
    const Scan& scan = simulation.scan;
    const Frame& frame = scan.frames.front();
    const CalibrationRegion region =
        CalibrationRegion::covered_by(*frame.trajectory, scan.geometry.matrix_size, 12).region;
    return calibration_samples(region, *frame.trajectory, {frame.kspace, scan.coil_count});
}

class CalibrationGaps : public ::testing::TestWithParam<test::BackendFactory> {
protected:
    std::vector<cfloat> maps(const Simulation& simulation) const {
        const Frame& frame = simulation.scan.frames.front();
        const CoilOptions options{.method = CoilMapMethod::espirit};
        return CoilEstimation(frame, {frame.kspace, simulation.scan.coil_count}, simulation.scan.geometry.matrix_size,
                              options)
            .maps(*backend_);
    }
    std::unique_ptr<Backend> backend_ = GetParam().make();
};

/// A spiral with half of its turns. The coils' own images are aliased, and maps from them wrong by 4 %.
TEST_P(CalibrationGaps, OfASpiralAreFilled) {
    const Simulation simulation = simulated("spiral", {72, 64, 1}, 8, 2);
    EXPECT_LT(map_error(maps(simulation), simulation), 0.01);
    const CalibrationSamples samples = samples_of(simulation);
    const CalibrationProblem problem(*backend_, samples, {}, rough_calibration_sums);
    const std::vector<cfloat> of_each_alone = espirit_maps(problem.backend(), problem.kspace_of(problem.coil_images()),
                                                           simulation.scan.geometry.matrix_size, {});
    EXPECT_GT(map_error(of_each_alone, simulation), 0.025);
}

TEST_P(CalibrationGaps, InThreeDimensionsAreFilled) {
    const Simulation simulation = simulated("stack-of-spirals", {28, 28, 24}, 6, 2);
    const CalibrationSamples samples = samples_of(simulation);
    ASSERT_TRUE(has_gaps_to_fill(CalibrationProblem(*backend_, samples, {}, rough_calibration_sums), samples));
    EXPECT_LT(map_error(maps(simulation), simulation), 0.04);
}

/// Between the samples of its readouts.
TEST_P(CalibrationGaps, OfARadialAreFilled) {
    const Simulation simulation = radial_of_few_samples();
    EXPECT_LT(map_error(maps(simulation), simulation), 0.02);
}

/// Samples that no maps explain: every coil sees an object of its own.
TEST_P(CalibrationGaps, OfCoilsThatHaveNothingInCommonStay) {
    CalibrationSamples samples = samples_of(simulated("spiral", {48, 40, 1}, 4, 2, 30));
    const std::size_t count = samples.kspace.size() / 4;
    for (std::size_t coil = 1; coil < 4; ++coil) {  // shifted by a third of the field of view each
        for (std::size_t m = 0; m < count; ++m) {
            const double phase = 2 * pi * static_cast<double>(coil) / 3 * samples.trajectory.k[coil % 2][m];
            samples.kspace[coil * count + m] *= cfloat(std::polar(1.0, phase));
        }
    }
    const CalibrationProblem problem(*backend_, samples, {}, rough_calibration_sums);
    EXPECT_FALSE(filled_images(problem).has_value());
}

TEST_P(CalibrationGaps, AreFilledAsOnTheCpu) {
    const auto cpu = make_cpu_backend(0);
    const CalibrationSamples samples = samples_of(simulated("spiral", {48, 40, 1}, 4, 2, 30));
    const auto filled = [&](Backend& backend) {
        const CalibrationProblem problem(backend, samples, {}, rough_calibration_sums);
        return problem.kspace_of(filled_images(problem).value()).values;
    };
    EXPECT_LT(test::relative_difference(filled(*backend_), filled(*cpu)), 1e-4);
}

/// Two coils: the images of which are next to nothing beside what filling takes.
TEST_P(CalibrationGaps, TakeTheMemoryThatIsForecast) {
    const Simulation simulation = simulated("spiral", {128, 128, 1}, 2, 2, 30);
    const Frame& frame = simulation.scan.frames.front();
    const CoilOptions options;
    const CoilEstimation estimation(frame, {frame.kspace, 2}, simulation.scan.geometry.matrix_size, options);
    const std::size_t before = backend_->memory().in_use();
    backend_->memory().restart_peak();
    estimation.maps(*backend_);
    EXPECT_LE(backend_->memory().peak() - before,
              estimation.backend_bytes(*backend_, backend_->memory().piece_bytes()) + (std::size_t{512} << 10));
    EXPECT_EQ(backend_->memory().in_use(), before);
}

/// Turns that filling takes, by the log.
int turns_of_filling(double snr) {
    const Simulation simulation = simulated("radial-centre-out", {20, 20, 20}, 4, 1.5, snr);
    const auto cpu = make_cpu_backend(2);
    const CalibrationProblem problem(*cpu, samples_of(simulation), {}, rough_calibration_sums);
    Log bound_log(LogLevel::debug);
    const LogBinding bound(&bound_log);
    ::testing::internal::CaptureStderr();
    filled_images(problem);
    const std::string log = ::testing::internal::GetCapturedStderr();
    int turns = 0;
    for (std::size_t at = log.find("of filling gaps moves"); at != std::string::npos;
         at = log.find("of filling gaps moves", at + 1)) {
        ++turns;
    }
    return turns;
}

TEST(TurnsOfFilling, EndWhereTheyMoveNoise) {
    const int of_noise = turns_of_filling(20), without = turns_of_filling(no_noise);
    EXPECT_GE(of_noise, 3);
    EXPECT_LT(of_noise, 12);
    EXPECT_EQ(without, 20) << "which still gain";
}

INSTANTIATE_TEST_SUITE_P(, CalibrationGaps, test::every_backend(), [](const auto& info) { return info.param.name; });

TEST(GapsToFill, AreThoseThatTheCoilsTogetherCanTell) {
    const auto cpu = make_cpu_backend(0);
    const auto has_gaps = [&](const Simulation& simulation) {
        const CalibrationSamples samples = samples_of(simulation);
        return has_gaps_to_fill(CalibrationProblem(*cpu, samples, {}, rough_calibration_sums), samples);
    };
    EXPECT_TRUE(has_gaps(simulated("spiral", {48, 48, 1}, 4, 2)));
    EXPECT_TRUE(has_gaps(radial_of_few_samples()));
    EXPECT_FALSE(has_gaps(simulated("spiral", {48, 48, 1}, 4, 1)));
    EXPECT_FALSE(has_gaps(simulated("spiral", {48, 48, 1}, 1, 2)));
    EXPECT_FALSE(has_gaps(simulated("radial", {48, 48, 1}, 4, 1)));
    EXPECT_FALSE(has_gaps(simulated("stack-of-spirals", {24, 24, 24}, 4, 4)));
}

}  // namespace
}  // namespace recon
