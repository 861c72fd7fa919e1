// The default image where a scan does not hold what it takes: dead coils, voxels that no coil sees, no noise, no
// signal.
#include <gtest/gtest.h>

#include <numeric>

#include "app/reconstruction/scan_prior/scan_prior.hpp"
#include "core/fourier/direct_sums.hpp"
#include "core/mri/check/dropped_samples.hpp"
#include "tests/app/reconstruction/scan_prior/scan_prior_cases.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using test::deviations_of;
using test::error_of;
using test::reconstructed;
using test::simulate;
using test::with;

/// A coil that measured nothing has no say in how much noise there is.
TEST(ScanPriorLimits, LeavesDeadCoilsOut) {
    Simulation simulation = simulate({.coils = 3});
    const FrameResult before = reconstructed(simulation.scan, with(ScanPrior::spectrum));
    Scan dead = simulation.scan;
    const std::size_t samples = static_cast<std::size_t>(dead.frames.front().sample_count());
    const std::size_t voxels = dead.coil_maps.size() / 3;
    dead.coil_count = 4;
    dead.frames.front().kspace.resize(4 * samples, 0);
    dead.coil_maps.resize(4 * voxels, 0);
    const FrameResult after = reconstructed(dead, with(ScanPrior::spectrum));
    EXPECT_EQ(after.scan->coil_count, 3);
    EXPECT_NEAR(after.scan->noise.sigma / before.scan->noise.sigma, 1, 0.01);  // other draws of the error's sample
}

/// As by readouts from the centre out that start late: three cycles are missing, where most of the image is, which four
/// coils tell if the prior lets it be large.
TEST(ScanPriorLimits, CoilsBridgeAGapAtTheCentreOfKspace) {
    Simulation simulation = simulate({.trajectory = "radial", .matrix = {64, 64, 1}, .coils = 4, .snr = 30});
    const Trajectory& trajectory = *simulation.scan.frames.front().trajectory;
    std::vector<Index> around_centre;
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        if (std::hypot(trajectory.k[0][m], trajectory.k[1][m]) < 2.9) {
            around_centre.push_back(m);
        }
    }
    drop_samples(simulation.scan, {around_centre});
    const FrameResult result = reconstructed(simulation.scan, with(ScanPrior::scan));
    EXPECT_LT(error_of(result.image, simulation), 0.1);  // 0.2 with as little there as where samples begin
}

/// Rosettes whose petals all pass the centre: what Q misses of the largest eigenvalue, that of the centre, is
/// more than the prior holds where they leave gaps. (Of a Q as loose as the noise allows, 1e-4, solutions grew without
/// end.)
TEST(ScanPriorLimits, ADenseCentreIsNothingToTheGapsFarFromIt) {
    constexpr Index petals = 50, length = 800;
    Simulation simulation = simulate({.matrix = {80, 80, 1}, .snr = 15}, "shepp-logan");
    auto trajectory = std::make_shared<Trajectory>();
    for (Index sample = 0; sample < petals * length; ++sample) {
        const double time = static_cast<double>(sample % length) / length;
        const double radius = 40 * std::sin(2 * pi * 5 * time);
        const double angle = 2 * pi * (3.1 * time + static_cast<double>(sample / length) / petals);
        trajectory->k[0].push_back(radius * std::cos(angle));
        trajectory->k[1].push_back(radius * std::sin(angle));
        trajectory->k[2].push_back(0);
    }
    const std::vector<cdouble> truth(simulation.truth.begin(), simulation.truth.end());
    std::vector<cdouble> samples = direct_forward(*trajectory, VoxelGrid::image({80, 80, 1}), truth);
    Frame& frame = simulation.scan.frames.front();
    frame.trajectory = trajectory;
    frame.sample_times_s.clear();
    simulation.scan.samples_per_readout = length;
    ReconstructOptions options = with(ScanPrior::scan);
    options.sums = SumsMethod::nufft;
    options.tolerance_from_noise = true;
    std::vector<double> errors;
    for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
        const std::vector<cdouble> noise = test::random_values(std::ssize(samples), seed);
        frame.kspace.clear();
        for (std::size_t m = 0; m < samples.size(); ++m) {
            frame.kspace.emplace_back(samples[m] + 3.0 * noise[m]);
        }
        const FrameResult result = reconstructed(simulation.scan, options);
        errors.push_back(error_of(result.image, simulation));
        EXPECT_GT(result.scan->predicted_error, 0.7 * errors.back());
    }
    EXPECT_LT(*std::max_element(errors.begin(), errors.end()), 0.1);  // 0.04; 0.5 where the first pass is thrown away
}

/// Maps that are cut off around the object: nobody knows what is beyond, and nothing of it is an error of the image.
TEST(ScanPriorLimits, VoxelsThatNoCoilSeesAreNotInTheImage) {
    Simulation simulation = simulate({.matrix = {48, 48, 1}, .coils = 4, .snr = 20});
    const FrameResult whole = reconstructed(simulation.scan, with(ScanPrior::scan));
    const std::size_t voxels = simulation.truth.size();
    for (std::size_t i = 0; i < simulation.scan.coil_maps.size(); ++i) {
        if (simulation.truth[i % voxels] == cfloat(0)) {
            simulation.scan.coil_maps[i] = 0;
        }
    }
    ReconstructOptions options = with(ScanPrior::scan);
    options.regularisation.uncertainty_samples = 1;
    const FrameResult cut = reconstructed(simulation.scan, options);
    EXPECT_LT(cut.scan->predicted_error, whole.scan->predicted_error);
    EXPECT_NEAR(cut.scan->predicted_error / error_of(cut.image, simulation), 1, 0.5);
    const std::vector<float>& sd = deviations_of(cut);
    ASSERT_EQ(sd.size(), voxels);
    for (std::size_t i = 0; i < voxels; ++i) {
        if (simulation.truth[i] == cfloat(0)) {
            ASSERT_EQ(cut.image[i], cfloat(0));
            ASSERT_EQ(sd[i], 0);
        }
    }
}

/// With less noise than single precision can tell iterations would go on in rounding errors, and have.
TEST(ScanPriorLimits, NoiseThatPrecisionCannotTellLeavesTheImageAsItIs) {
    const Simulation simulation = simulate({.matrix = {64, 64, 1}, .coils = 8, .snr = 1e5, .undersampling = 8});
    ReconstructOptions options = with(ScanPrior::scan);
    options.regularisation.lambda.noise_sigma = simulation.noise_standard_deviation;
    const FrameResult single = reconstructed(simulation.scan, options);
    options.precision = Precision::double_;
    const FrameResult of_double = reconstructed(simulation.scan, options);
    EXPECT_GT(single.scan->noise.sigma, of_double.scan->noise.sigma);
    EXPECT_LT(error_of(single.image, simulation), 1.3 * error_of(of_double.image, simulation));
    EXPECT_LT(single.scan->iterations, 1000);
}

/// Fine texture with half the energy of the noise that single precision can tell, beside a bright mean: what the
/// solutions take the noise for has no say in what the spectrum is.
TEST(ScanPriorLimits, NoiseThatPrecisionCannotTellIsNotInTheSpectrum) {
    constexpr double mean = 1e4, texture = 0.035, noise = 0.004;
    Simulation simulation = simulate({.trajectory = "cartesian", .matrix = {64, 64, 1}});
    Frame& frame = simulation.scan.frames.front();
    const std::vector<cdouble> random = test::random_values(2 * std::ssize(frame.kspace), 1);
    double unit = 0;
    for (const cdouble value : random) {
        unit += std::norm(value) / static_cast<double>(random.size());
    }
    for (std::size_t m = 0; m < frame.kspace.size(); ++m) {
        const bool is_centre = std::abs(frame.trajectory->k[0][m]) + std::abs(frame.trajectory->k[1][m]) < 0.5;
        frame.kspace[m] =
            cfloat((is_centre ? mean : 0) + (texture * random[2 * m] + noise * random[2 * m + 1]) / std::sqrt(unit));
    }
    ReconstructOptions options = with(ScanPrior::spectrum);
    options.regularisation.lambda.noise_sigma = noise;
    const FrameResult result = reconstructed(simulation.scan, options);
    EXPECT_TRUE(result.scan->noise_is_at_precision);
    EXPECT_GT(result.scan->noise.sigma, 1.2 * texture);
    const std::vector<double>& power = result.scan->power;
    for (std::size_t i = power.size() / 2; i < power.size();
         ++i) {  // of 100 samples and more each; 0.03 beside that noise
        EXPECT_NEAR(power[i] / (texture * texture), 1, 0.4) << i;
    }
}

/// Nothing, noise alone, one sample, a single line: an image that is finite, and honest.
TEST(ScanPriorLimits, SurvivesScansWithoutASignal) {
    const Simulation simulation = simulate({.matrix = {16, 16, 1}, .coils = 2});
    Scan zero = simulation.scan;
    std::fill(zero.frames.front().kspace.begin(), zero.frames.front().kspace.end(), 0);
    const FrameResult of_zero = reconstructed(zero, with(ScanPrior::scan));
    EXPECT_EQ(of_zero.scan->used, ScanPrior::none);
    EXPECT_TRUE(std::all_of(of_zero.image.begin(), of_zero.image.end(), [](cfloat v) { return v == 0.0F; }));

    Scan noise = zero;
    for (cfloat& value : noise.frames.front().kspace) {
        value = test::random_values(1, static_cast<unsigned>(&value - noise.frames.front().kspace.data())).front();
    }
    const FrameResult of_noise = reconstructed(noise, with(ScanPrior::scan));
    EXPECT_GT(of_noise.scan->predicted_error, 0.5);
    EXPECT_TRUE(of_noise.findings.empty());  // noise at the border of the field of view is no object there

    Scan one = simulation.scan;
    auto trajectory = std::make_shared<Trajectory>();
    trajectory->k = {std::vector<double>{0}, std::vector<double>{0}, std::vector<double>{0}};
    one.frames.front().trajectory = trajectory;
    one.frames.front().kspace = {1, 2};
    one.frames.front().sample_times_s = {};
    one.frames.front().density_weights = {};
    one.samples_per_readout = 1;
    EXPECT_EQ(reconstructed(one, with(ScanPrior::scan)).scan->used, ScanPrior::none);

    const Simulation line = simulate({.trajectory = "cartesian", .matrix = {64, 1, 1}});
    EXPECT_LT(error_of(reconstructed(line.scan, with(ScanPrior::scan)).image, line), 0.5);
    const Simulation exact = simulate({.matrix = {24, 24, 1}, .snr = std::numeric_limits<double>::infinity()});
    EXPECT_LT(error_of(reconstructed(exact.scan, with(ScanPrior::scan)).image, exact), 0.1);
}

}  // namespace
}  // namespace recon
