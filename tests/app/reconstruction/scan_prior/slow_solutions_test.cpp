// A spiral of one coil with less than half of the turns that the image needs: conjugate gradients rest long before they
// are near, and the local pass shows it.
#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include "tests/app/reconstruction/scan_prior/scan_prior_cases.hpp"

namespace recon {
namespace {

constexpr Index voxels = 96;
constexpr double centre = 0.05, width = 0.12;  ///< of a Gaussian, in fields of view

double gaussian(double position, double middle, double width) {
    return std::exp(-std::pow((position - middle) / width, 2) / 2);
}

/// The k-space of the voxels' values, as three interleaves of six turns each, with noise of 3 % of its rms.
Simulation spiral_of_gaussian() {
    Simulation result = test::simulate({"cartesian", {voxels, voxels, 1}, 1, 10});
    result.truth.clear();
    for (Index y = 0; y < voxels; ++y) {
        for (Index x = 0; x < voxels; ++x) {
            const auto place = [](Index i) { return static_cast<double>(i - voxels / 2) / voxels; };
            result.truth.emplace_back(gaussian(place(x), centre, width) * gaussian(place(y), 0, width));
        }
    }
    const double pi = std::numbers::pi;
    auto trajectory = std::make_shared<Trajectory>();
    std::vector<cdouble> signal;
    for (int interleaf = 0; interleaf < 3; ++interleaf) {
        for (int sample = 0; sample < 1056; ++sample) {
            const double u = sample / 1055.0, angle = 2 * pi * (6 * u + interleaf / 3.0);
            const double kx = voxels / 2.0 * u * std::cos(angle), ky = voxels / 2.0 * u * std::sin(angle);
            trajectory->k[0].push_back(kx);
            trajectory->k[1].push_back(ky);
            trajectory->k[2].push_back(0);
            signal.push_back(voxels * voxels * 2 * pi * width * width *
                             std::exp(-2 * std::pow(pi * width, 2) * (kx * kx + ky * ky)) *
                             std::polar(1.0, -2 * pi * kx * centre));
        }
    }
    std::mt19937 generator(1);
    double energy = 0;
    for (const cdouble s : signal) {
        energy += std::norm(s);
    }
    std::normal_distribution<double> normal(0, 0.03 * std::sqrt(energy / static_cast<double>(signal.size()) / 2));
    Frame& frame = result.scan.frames.front();
    frame.trajectory = trajectory;
    frame.sample_times_s = {};
    frame.density_weights = {};
    frame.kspace.clear();
    for (const cdouble s : signal) {
        frame.kspace.emplace_back(s + cdouble(normal(generator), normal(generator)));
    }
    return result;
}

TEST(SlowSolutions, AreTightenedWhereTheLocalPassMovesTheImageByMoreThanItsError) {
    const Simulation simulation = spiral_of_gaussian();
    const FrameResult result = test::reconstructed(simulation.scan, test::with(ScanPrior::scan));
    const double error = test::error_of(result.image, simulation);
    // By the noise, and by rounding, 0.04 to 0.1, of which 0.045 to 0.065 are told; 0.126 without, told to be 0.017
    EXPECT_LT(error, 0.11);
    EXPECT_GT(result.scan->predicted_error, 0.4 * error);
}

/// Every other turn of a spiral of one coil, with hardly any noise: what lies between the turns comes in so late that
/// solutions stop without it, and a sample that starts from zero as well.
TEST(SlowSolutions, TellOfWhatTheyHaveNotComeTo) {
    const Simulation simulation = test::simulate({"spiral", {120, 120, 1}, 1, 500, 2}, "tissue");
    const FrameResult result = test::reconstructed(simulation.scan, test::with(ScanPrior::scan));
    const double error = test::error_of(result.image, simulation);
    // By the noise 0.12 to 0.2, of which a quarter to a half is told; 0.19 to 0.25 without, a tenth of it told
    EXPECT_LT(error, 0.2);
    EXPECT_GT(result.scan->predicted_error, 0.2 * error);
    EXPECT_TRUE(result.scan->is_unfinished) << "and this is said";
    const Simulation full = test::simulate({"spiral", {120, 120, 1}, 1, 500, 1}, "tissue");
    EXPECT_FALSE(test::reconstructed(full.scan, test::with(ScanPrior::scan)).scan->is_unfinished);
}

/// Maps that are cut off around the object, as ESPIRiT's. Beyond the band, in the corners of the cube, the prior is as
/// large as it may be, and what a preconditioner lets through to voxels outside is multiplied by that.
TEST(SlowSolutions, VoxelsThatNoCoilSeesTakeFewMoreIterations) {
    constexpr Index size = 48;
    Simulation simulation = test::simulate(
        {.trajectory = "radial", .matrix = {size, size, size}, .coils = 2, .snr = 20, .undersampling = 3});
    const auto solved = [&] { return test::reconstructed(simulation.scan, test::with(ScanPrior::spectrum)); };
    const FrameResult all_seen = solved();
    Index i = 0;
    for (cfloat& value : simulation.scan.coil_maps) {
        double square = 0;
        for (const Index at : {i % size, i / size % size, i / size / size % size}) {
            square += std::pow(static_cast<double>(at - size / 2) / (size / 2.0), 2);
        }
        value = square < 1 ? value : 0;
        ++i;
    }
    const FrameResult cut_off = solved();
    EXPECT_LT(test::error_of(cut_off.image, simulation), 1.05 * test::error_of(all_seen.image, simulation));
    EXPECT_LE(cut_off.cg.iterations, 2 * all_seen.cg.iterations);  // 6, and 5; 14 with a bound of 1e5
}

/// Sensitivities as they are, which fall off from a corner of the field on, see some voxels a thousand times as well as
/// others, in energy.
TEST(SlowSolutions, UnevenSensitivitiesTakeFewMoreIterations) {
    constexpr Index size = 64;
    Simulation simulation =
        test::simulate({.trajectory = "radial", .matrix = {size, size, 1}, .coils = 6, .snr = 20, .undersampling = 2});
    const auto iterations = [&](ScanPrior prior) {
        return test::reconstructed(simulation.scan, test::with(prior)).scan->iterations;
    };
    const int of_even = iterations(ScanPrior::scan), of_even_spectrum = iterations(ScanPrior::spectrum);
    Index i = 0;
    for (cfloat& value : simulation.scan.coil_maps) {
        const double from_corner = std::hypot(i % size, i / size % size) / size;
        value *= static_cast<float>(8 * std::exp(-3 * from_corner));
        ++i;
    }
    // 32 and 15 of even ones, then 97 and 20; 583 and 143 without regard to it
    EXPECT_LE(iterations(ScanPrior::scan), 5 * of_even);
    EXPECT_LE(iterations(ScanPrior::spectrum), 2 * of_even_spectrum);
}

}  // namespace
}  // namespace recon
