// The default image: its noise, its prior and its error bar on scans whose truth is known.
#include "app/reconstruction/scan_prior/scan_prior.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/operators/penalties/spectral_weighting.hpp"
#include "tests/app/reconstruction/scan_prior/scan_prior_cases.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/lambda_cases.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using test::Case;
using test::deviations_of;
using test::error_of;
using test::reconstructed;
using test::resolved_error;
using test::simulate;
using test::with;

/// On the brain, whose edges are rounded so that its voxels can show it.
TEST(ScanPrior, BeatsGriddingAndPlainLeastSquaresAndKnowsItsError) {
    for (const Case& c : {Case{}, Case{.coils = 4, .snr = 20, .undersampling = 2},
                          Case{.trajectory = "spiral", .matrix = {36, 36, 1}, .coils = 4, .snr = 5},
                          Case{.trajectory = "cones", .matrix = {24, 24, 16}, .coils = 2, .snr = 8},
                          Case{.trajectory = "golden-radial", .matrix = {64, 64, 1}, .snr = 10, .undersampling = 4}}) {
        SCOPED_TRACE(c.trajectory);
        const Simulation simulation = simulate(c);
        ReconstructOptions plain = with(ScanPrior::none);
        plain.baseline = true;
        const FrameResult least_squares = reconstructed(simulation.scan, plain);
        const double of_gridding = error_of(least_squares.baseline, simulation);
        const FrameResult spectrum = reconstructed(simulation.scan, with(ScanPrior::spectrum));
        const FrameResult scan = reconstructed(simulation.scan, with(ScanPrior::scan));
        const double of_scan = error_of(scan.image, simulation);
        EXPECT_LT(error_of(spectrum.image, simulation), of_gridding);
        EXPECT_LT(of_scan, 0.85 * of_gridding);
        EXPECT_LT(of_scan, error_of(least_squares.image, simulation));
        // Up to 1.34: it counts detail finer than the voxels, of which rounded edges have less than the last slope of
        // the spectrum says (decision 0020).
        EXPECT_NEAR(spectrum.scan->predicted_error / error_of(spectrum.image, simulation), 1, 0.4);
        // The brain is constant by pieces, which the local passes find out and the spectrum does not know of.
        EXPECT_NEAR(scan.scan->predicted_error / of_scan, 1, 0.5);
        EXPECT_EQ(scan.cg.stopped_by, StopReason::predicted_error);
    }
}

/// Noise whose amplitudes fall like |k|^-1.5: nothing that a local pass could find.
Simulation simulate_without_edges(Index n) {
    const PerAxis<Index> matrix_size{n, n, n};
    const auto backend = make_cpu_backend(0);
    std::vector<double> amplitudes;
    for (Index i = 0; i < n * n * n; ++i) {
        double square = 0;
        for (const Index k : {i % n, i / n % n, i / (n * n)}) {
            square += std::pow(static_cast<double>(std::min(k, n - k)), 2);
        }
        amplitudes.push_back(std::pow(std::max(square, 1.0), -0.75));
    }
    Array factors(*backend, Shape::image(matrix_size), Precision::single);
    upload_real(amplitudes, factors);
    const SpectralWeighting spectrum(Shape::image(matrix_size), std::move(factors));
    Array white(*backend, spectrum.codomain(), Precision::single);
    Array object(*backend, spectrum.domain(), Precision::single);
    backend->fill_white(1, 0, white);
    spectrum.adjoint(white, object);
    SimulationOptions options;
    options.trajectory = "radial";
    options.request.matrix_size = matrix_size;
    options.coil_count = 4;
    options.snr = 10;
    Image image;
    image.geometry.matrix_size = matrix_size;
    image.voxels = download<float>(object);
    return simulate_scan_of(image, *backend, options);
}

/// A pass that changes little has found no edges, and its own sample says nothing of what is between them.
TEST(ScanPrior, TellsTheErrorOfObjectsWithoutEdges) {
    const Simulation simulation = simulate_without_edges(16);
    const FrameResult result = reconstructed(simulation.scan, with(ScanPrior::scan));
    // An image has no detail finer than its own voxels.
    EXPECT_NEAR(resolved_error(*result.scan) / error_of(result.image, simulation), 1, 0.15);
}

/// Sharp edges have detail that no voxel shows, and without noise it is all that the image is wrong by.
TEST(ScanPrior, TellsTheErrorOfSharpObjects) {
    for (const Case& c : {Case{.trajectory = "cartesian", .matrix = {64, 64, 1}, .snr = 1000},
                          Case{.matrix = {48, 48, 1}, .coils = 4, .snr = 50},
                          Case{.trajectory = "radial", .matrix = {80, 80, 1}, .snr = 60}}) {
        SCOPED_TRACE(c.trajectory);
        const Simulation simulation = simulate(c, "sodium");
        const FrameResult result = reconstructed(simulation.scan, with(ScanPrior::scan));
        const double error = error_of(result.image, simulation);
        EXPECT_NEAR(result.scan->predicted_error / error, 1, 0.35);
        EXPECT_LT(resolved_error(*result.scan), 0.75 * error);
    }
}

/// Without a word from anybody, within 5 %: 10 % at an SNR where the voxels' own error is larger than the noise.
TEST(ScanPrior, FindsTheNoise) {
    for (const double snr : {3.0, 10.0, 30.0}) {
        for (const Index coils : {1, 6}) {
            const Simulation simulation = simulate({.matrix = {48, 48, 1}, .coils = coils, .snr = snr});
            const FrameResult result = reconstructed(simulation.scan, with(ScanPrior::spectrum));
            EXPECT_NEAR(result.scan->noise.sigma / simulation.noise_standard_deviation, 1, snr > 20 ? 0.1 : 0.05)
                << snr << ", " << coils << " coils";
        }
    }
}

TEST(ScanPrior, IsTheSameForAnyNumberOfRanks) {
    for (const Index coils : {1, 3}) {
        for (const SampleWeighting weighting : {SampleWeighting::none, SampleWeighting::density}) {
            const Simulation simulation = simulate({.matrix = {22, 21, 1}, .coils = coils});
            ReconstructOptions options = with(ScanPrior::scan);
            options.precision = Precision::double_;
            options.weighting = weighting;
            const FrameResult one = reconstructed(simulation.scan, options);
            const FrameResult two = reconstructed(simulation.scan, options, 2);
            EXPECT_NEAR(two.scan->noise.sigma / one.scan->noise.sigma, 1, 1e-3);
            EXPECT_NEAR(two.scan->predicted_error / one.scan->predicted_error, 1, 1e-2);
            EXPECT_LT(
                test::relative_difference({two.image.begin(), two.image.end()}, {one.image.begin(), one.image.end()}),
                0.01);
        }
    }
}

/// Weights as of a ramp, which nearly leave out the centre of k-space, change nothing; those that are 0 do.
TEST(ScanPrior, CountsSamplesAlikeWhateverTheirDensities) {
    Simulation simulation = simulate({.matrix = {32, 32, 1}, .coils = 4, .snr = 8});
    Frame& frame = simulation.scan.frames.front();
    ReconstructOptions options = with(ScanPrior::scan);
    const FrameResult alike = reconstructed(simulation.scan, options);
    options.weighting = SampleWeighting::density;
    EXPECT_EQ(reconstructed(simulation.scan, options).image, alike.image);
    const Trajectory& trajectory = *frame.trajectory;
    std::vector<float> ramp;
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        const auto sample = static_cast<std::size_t>(m);
        ramp.push_back(static_cast<float>(0.01 + std::hypot(trajectory.k[0][sample], trajectory.k[1][sample])));
    }
    frame.density_weights = ramp;
    EXPECT_EQ(reconstructed(simulation.scan, options).image, alike.image);
    for (std::size_t m = 0; m < ramp.size(); m += 3) {
        ramp[m] = 0;
        for (std::size_t coil = 0; coil < 4; ++coil) {
            frame.kspace[coil * ramp.size() + m] += 1e3F;
        }
    }
    frame.density_weights = ramp;
    EXPECT_LT(
        error_of(reconstructed(simulation.scan, options).image, simulation),
        1.2 * error_of(alike.image, simulation));  // two thirds of the samples: noise alone would make it sqrt(3 / 2)
}

/// The image scales with the data, and nothing else changes.
TEST(ScanPrior, IsScaleFree) {
    const Simulation simulation = simulate({.matrix = {20, 24, 1}, .coils = 2});
    const FrameResult one = reconstructed(simulation.scan, with(ScanPrior::scan));
    for (const float factor : {1e-12F, 1e12F}) {
        Scan scaled = simulation.scan;
        for (cfloat& value : scaled.frames.front().kspace) {
            value *= factor;
        }
        const FrameResult other = reconstructed(scaled, with(ScanPrior::scan));
        EXPECT_NEAR(other.scan->noise.sigma / (factor * one.scan->noise.sigma), 1, 1e-2);
        EXPECT_NEAR(other.scan->predicted_error / one.scan->predicted_error, 1, 1e-2);
    }
}

/// Its root mean square is the predicted error of what voxels can show; one sample, smoothed, tells what sixty tell.
TEST(ScanPrior, MapOfTheStandardDeviation) {
    const Simulation simulation = simulate({.matrix = {40, 40, 1}, .coils = 2, .snr = 5});
    for (const ScanPrior prior : {ScanPrior::spectrum, ScanPrior::scan}) {
        ReconstructOptions options = with(prior);
        const FrameResult one = reconstructed(simulation.scan, options);
        options.regularisation.uncertainty_samples = 60;
        const FrameResult many = reconstructed(simulation.scan, options);
        const std::vector<float>& of_one = deviations_of(one);
        const std::vector<float>& of_many = deviations_of(many);
        double square = 0, size = 0, difference = 0;  // size: that of the object, of which the errors are parts
        for (std::size_t n = 0; n < of_many.size(); ++n) {
            square += of_many[n] * of_many[n];
            size += std::norm(cdouble(many.image[n]));
            difference += std::pow(of_one[n] - of_many[n], 2);
        }
        size /= 1 - std::pow(many.scan->predicted_error, 2);
        EXPECT_NEAR(std::sqrt(square / size) / resolved_error(*many.scan), 1, 0.02);
        EXPECT_LT(std::sqrt(difference / square), 0.25);
    }
}

class MapOfTheNoise : public ::testing::TestWithParam<ScanPrior> {};

/// How much 80 images of one object scatter, voxel by voxel: less than they are wrong. With a prior of its edges these
/// scatter, too: a map of noise alone under the last of them would be 0.86 of it.
TEST_P(MapOfTheNoise, IsTheScatterOfRepeatedScans) {
    constexpr std::size_t repetitions = 80;
    SimulationOptions simulated;
    simulated.trajectory = "golden-radial";
    simulated.request.matrix_size = {24, 24, 1};
    simulated.coil_count = 2;
    simulated.snr = 8;
    ReconstructOptions options = with(GetParam());
    options.regularisation.uncertainty_samples = 0;
    std::vector<std::vector<cfloat>> images;
    for (std::size_t n = 0; n < repetitions; ++n) {
        simulated.seed = static_cast<unsigned>(n);
        images.push_back(reconstructed(simulate_scan(simulated).scan, options).image);
    }
    options.regularisation.noise_sd_draws = 200;
    const Simulation simulation = simulate_scan(simulated);
    const FrameResult result = reconstructed(simulation.scan, options);
    ASSERT_EQ(result.extras.size(), 1U);
    EXPECT_EQ(result.extras.front().name, "uncertainty/noise_sd");
    const auto& found = std::get<std::vector<float>>(result.extras.front().values);
    double square = 0, of_map = 0, difference = 0, size = 0, inside = 0;
    for (std::size_t voxel = 0; voxel < found.size(); ++voxel) {
        cdouble sum = 0;
        double energy = 0;
        for (const std::vector<cfloat>& image : images) {
            sum += cdouble(image[voxel]);
            energy += std::norm(cdouble(image[voxel]));
        }
        if (std::abs(simulation.truth[voxel]) < 0.1F) {
            continue;  // in air there is nothing to be told
        }
        const double variance = (energy - std::norm(sum) / repetitions) / (repetitions - 1);
        ++inside;
        square += variance;
        size += std::norm(cdouble(result.image[voxel]));
        of_map += found[voxel] * found[voxel];
        difference += std::pow(found[voxel] / std::sqrt(variance) - 1, 2);
    }
    EXPECT_GT(inside, 100);
    const bool moves = GetParam() == ScanPrior::scan;
    EXPECT_NEAR(std::sqrt(of_map / square), 1, moves ? 0.1 : 0.05);
    EXPECT_LT(std::sqrt(difference / inside), moves ? 0.17 : 0.1)
        << "0.066 of a perfect map: both are of finite numbers";
    EXPECT_LT(std::sqrt(of_map / size), 0.95 * result.scan->predicted_error);
}

INSTANTIATE_TEST_SUITE_P(, MapOfTheNoise, ::testing::Values(ScanPrior::spectrum, ScanPrior::scan),
                         [](const auto& prior) { return prior.param == ScanPrior::scan ? "Scan" : "Spectrum"; });

/// Where the map is large the image is wrong by as much: voxels in eight classes of the map. In flat tissue it is too
/// large: a sample has gradients everywhere, and the brain has none there.
TEST(ScanPrior, StandardDeviationIsLargeWhereTheErrorIs) {
    const Simulation simulation = simulate({.matrix = {64, 64, 1}, .coils = 4, .snr = 10});
    const FrameResult result = reconstructed(simulation.scan, with(ScanPrior::scan));
    const std::vector<float>& sd = deviations_of(result);
    std::vector<std::size_t> order(sd.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sd[a] < sd[b]; });
    for (std::size_t part = 0; part < 8; ++part) {
        double predicted = 0, error = 0;
        for (std::size_t i = part * order.size() / 8; i < (part + 1) * order.size() / 8; ++i) {
            predicted += sd[order[i]] * sd[order[i]];
            error += std::norm(cdouble(result.image[order[i]] - simulation.truth[order[i]]));
        }
        EXPECT_NEAR(std::log(predicted / error) / 2, 0, std::log(1.9)) << part;
    }
}

TEST(ScanPrior, TakesIterationsAsTheyAreAsked) {
    const Simulation simulation = simulate({.matrix = {16, 16, 1}});
    ReconstructOptions options = with(ScanPrior::scan);
    options.iterations_asked = 3;
    const FrameResult result = reconstructed(simulation.scan, options);
    EXPECT_EQ(result.cg.iterations, 3);
    EXPECT_EQ(result.cg.stopped_by, StopReason::iterations);
}

/// Beside total variation, a term with a lambda, and inside a mask: its problem is one of several terms.
TEST(ScanPrior, CombinesWithOtherTerms) {
    const Simulation simulation = simulate({.matrix = {24, 24, 1}, .coils = 2});
    for (const char* prior : {"identity", "tv"}) {
        ReconstructOptions options = with(ScanPrior::scan);
        options.regularisation.terms = {{prior, 1e-3}};
        EXPECT_LT(error_of(reconstructed(simulation.scan, options).image, simulation), 0.3);
    }
}

}  // namespace
}  // namespace recon
