// Calibrations whose samples leave points out: the coils together know what is there.
#include "app/reconstruction/coils/joint_inversion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/reconstruction/coils/coil_estimation.hpp"
#include "app/reconstruction/coils/coil_image_product.hpp"
#include "app/reconstruction/coils/how_coils_are_told.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/mri/coils/espirit.hpp"
#include "core/mri/coils/unit_maps.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/operator_properties.hpp"
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

double difference(const std::vector<cfloat>& a, const std::vector<cfloat>& b) {
    return test::relative_difference(std::vector<cdouble>(a.begin(), a.end()),
                                     std::vector<cdouble>(b.begin(), b.end()));
}

/// All its readouts, but 1.15 cycles per FOV between their samples: no cell is empty, and rings are missing.
Simulation radial_of_few_samples() { return simulated("radial", {64, 64, 1}, 6, 1, no_noise, 0.87); }

CalibrationSamples samples_of(const Simulation& simulation) {
    const Scan& scan = simulation.scan;
    const Frame& frame = scan.frames.front();
    return calibration_samples(CalibrationRegion::of_radius(scan.geometry.matrix_size, largest_calibration_radius),
                               *frame.trajectory, {frame.kspace, scan.coil_count});
}

class JointInversion : public ::testing::TestWithParam<test::BackendFactory> {
protected:
    std::vector<cfloat> maps(const Simulation& simulation, const CoilOptions& options = {}) const {
        const Frame& frame = simulation.scan.frames.front();
        return CoilEstimation(frame, {frame.kspace, simulation.scan.coil_count}, simulation.scan.geometry.matrix_size,
                              options)
            .maps(*backend_);
    }
    CalibrationProblem problem_of(const Simulation& simulation) const {
        return {*backend_, samples_of(simulation), {}, rough_calibration_sums};
    }
    std::unique_ptr<Backend> backend_ = GetParam().make();
};

TEST_P(JointInversion, DerivativeHasItsAdjoint) {
    for (const PerAxis<Index>& matrix :
         {PerAxis<Index>{20, 24, 1}, PerAxis<Index>{12, 1, 10}, PerAxis<Index>{9, 8, 7}}) {
        const Simulation simulation = simulated("cartesian", matrix, 3, 1);
        const CalibrationProblem problem = problem_of(simulation);
        CoilImageProduct product(problem);
        Array point(*backend_, product.domain(), product.precision());
        backend_->fill_white(3, 0, point);
        product.move_to(point);
        EXPECT_LT(test::adjoint_error(product), 1e-5);
    }
}

/// Products of a point a little further on, less those of the point.
TEST_P(JointInversion, DerivativeIsThatOfTheProducts) {
    const Simulation simulation = simulated("radial", {24, 20, 1}, 4, 1);
    const CalibrationProblem problem{*backend_, samples_of(simulation), {}, calibration_sums};
    CoilImageProduct product(problem);
    constexpr double little = 1e-4;
    Array point(*backend_, product.domain(), product.precision()),
        step(*backend_, product.domain(), product.precision());
    Array before(*backend_, product.codomain(), product.precision());
    Array after(*backend_, product.codomain(), product.precision());
    Array expected(*backend_, product.codomain(), product.precision());
    backend_->fill_white(3, 0, point);
    backend_->fill_white(4, 0, step);
    product.move_to(point);
    product.products(before);
    product.forward(step, expected);
    backend_->axpby(little, step, 1, point);
    product.move_to(point);
    product.products(after);
    backend_->axpby(-1 / little, before, 1 / little, after);
    EXPECT_LT(test::relative_difference(download<double>(after), download<double>(expected)), 1e-3);
}

/// A spiral with half of its turns, and one with a quarter. The coils' own images are aliased: maps of them are wrong
/// by 4 and 30 %.
TEST_P(JointInversion, FindsTheCoilsOfUndersampledSpirals) {
    for (const auto& [undersampling, most, alone] : {std::array{2.0, 0.01, 0.025}, std::array{4.0, 0.03, 0.05}}) {
        const Simulation simulation = simulated("spiral", {72, 64, 1}, 8, undersampling);
        EXPECT_LT(map_error(maps(simulation), simulation), most);
        const CalibrationProblem problem = problem_of(simulation);
        const std::vector<cfloat> of_each_alone = espirit_maps(
            *backend_, problem.on_host(problem.coil_images()).kspace(), simulation.scan.geometry.matrix_size, {});
        EXPECT_GT(map_error(of_each_alone, simulation), alone);
    }
}

TEST_P(JointInversion, FindsThoseOfVolumes) {
    const Simulation simulation = simulated("stack-of-spirals", {28, 28, 24}, 6, 2);
    EXPECT_LT(map_error(maps(simulation), simulation), 0.04);
}

/// Between the samples of its readouts.
TEST_P(JointInversion, FindsThoseOfARadialOfFewSamples) {
    const Simulation simulation = radial_of_few_samples();
    EXPECT_LT(map_error(maps(simulation), simulation), 0.02);
}

/// Asked for, of a scan that would not need it; and what the other methods make of its images.
TEST_P(JointInversion, IsAMethodAmongOthers) {
    const Simulation full = simulated("radial", {48, 40, 1}, 5, 1, 40);
    EXPECT_LT(map_error(maps(full, {.method = CoilMapMethod::nlinv}), full), 0.02);
    const Simulation spiral = simulated("spiral", {64, 64, 1}, 8, 2);
    EXPECT_LT(map_error(maps(spiral, {.method = CoilMapMethod::espirit}), spiral), 0.02);
    EXPECT_LT(map_error(maps(spiral, {.method = CoilMapMethod::walsh}), spiral), 0.15);
}

/// Of samples of any size: squares of these would underflow.
TEST_P(JointInversion, DoesNotDependOnTheScale) {
    Simulation simulation = simulated("spiral", {48, 48, 1}, 4, 2, 30);
    const std::vector<cfloat> before = maps(simulation);
    for (cfloat& value : simulation.scan.frames.front().kspace) {
        value *= 0x1p-80F;
    }
    EXPECT_LT(difference(maps(simulation), before), 1e-4);
}

/// Samples that no maps explain: every coil sees an object of its own.
TEST_P(JointInversion, LeavesOverWhatCoilsDoNotHaveInCommon) {
    CalibrationSamples samples = samples_of(simulated("spiral", {48, 40, 1}, 4, 2, 30));
    const auto unexplained = [&] {
        return jointly_found({*backend_, samples, {}, rough_calibration_sums}).unexplained;
    };
    EXPECT_LT(unexplained(), 0.15);
    const std::size_t count = samples.kspace.size() / 4;
    for (std::size_t coil = 1; coil < 4; ++coil) {  // shifted by a third of the field of view each
        for (std::size_t m = 0; m < count; ++m) {
            const double phase = 2 * pi * static_cast<double>(coil) / 3 * samples.trajectory.k[coil % 2][m];
            samples.kspace[coil * count + m] *= cfloat(std::polar(1.0, phase));
        }
    }
    EXPECT_GT(unexplained(), 0.4);
}

TEST_P(JointInversion, IsThatOfTheCpu) {
    const auto cpu = make_cpu_backend(0);
    const CalibrationSamples samples = samples_of(simulated("spiral", {48, 40, 1}, 4, 2, 30));
    const auto found = [&](Backend& backend) {
        return unit_maps(jointly_found({backend, samples, {}, rough_calibration_sums}).coils, {48, 40, 1}, {0, 4});
    };
    EXPECT_LT(difference(found(*backend_), found(*cpu)), 1e-3);
}

/// Two coils: the images of which are next to nothing beside what the inversion takes.
TEST_P(JointInversion, TakesTheMemoryThatIsForecast) {
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

INSTANTIATE_TEST_SUITE_P(, JointInversion, test::every_backend(), [](const auto& info) { return info.param.name; });

TEST(Coils, AreToldAloneTogetherOrNotAtAll) {
    const auto cpu = make_cpu_backend(0);
    const auto told = [&](const Simulation& simulation) {
        return how_coils_are_told(*cpu, *simulation.scan.frames.front().trajectory,
                                  simulation.scan.geometry.matrix_size);
    };
    EXPECT_EQ(told(simulated("spiral", {48, 48, 1}, 4, 1)), CoilsAreTold::alone);
    EXPECT_EQ(told(simulated("radial", {48, 48, 1}, 4, 1)), CoilsAreTold::alone);
    EXPECT_EQ(told(simulated("cartesian", {48, 48, 1}, 4, 1)), CoilsAreTold::alone);
    EXPECT_EQ(told(simulated("spiral", {48, 48, 1}, 4, 2)), CoilsAreTold::together);
    EXPECT_EQ(told(simulated("stack-of-spirals", {24, 24, 24}, 4, 4)), CoilsAreTold::together);
    EXPECT_EQ(told(radial_of_few_samples()), CoilsAreTold::together);
    EXPECT_EQ(told(simulated("cartesian", {48, 48, 1}, 4, 2)), CoilsAreTold::not_at_all);
    EXPECT_EQ(told(simulated("cartesian", {24, 24, 24}, 4, 3)), CoilsAreTold::not_at_all);
}

}  // namespace
}  // namespace recon
