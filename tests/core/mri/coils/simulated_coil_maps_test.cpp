// Maps that are estimated from whole simulated scans, against the coils of the simulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/reconstruction/coils/coil_estimation.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/log_binding.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

SimulationOptions fully_sampled(const std::string& phantom, const std::string& trajectory, PerAxis<Index> matrix_size,
                                Index coil_count, double snr) {
    SimulationOptions options;
    options.phantom = phantom;
    options.trajectory = trajectory;
    options.request.matrix_size = matrix_size;
    options.request.undersampling = 1;
    options.coil_count = coil_count;
    options.snr = snr;
    return options;
}

/// Sines of the angles between the coils' sensitivities and the maps, where the object is.
std::vector<double> angles(const Simulation& simulation, const CoilOptions& options) {
    const Scan& scan = simulation.scan;
    const Frame& frame = scan.frames.front();
    const std::vector<cfloat> maps =
        CoilEstimation(frame, {frame.kspace, scan.coil_count}, scan.geometry.matrix_size, options)
            .maps(*make_cpu_backend(0));
    std::vector<double> result;
    for (std::size_t voxel = 0; voxel < simulation.truth.size(); ++voxel) {
        cdouble product = 0;
        double of_maps = 0, of_coils = 0;
        for (std::size_t at = voxel; at < maps.size(); at += simulation.truth.size()) {
            product += std::conj(cdouble(scan.coil_maps[at])) * cdouble(maps[at]);
            of_maps += std::norm(maps[at]);
            of_coils += std::norm(scan.coil_maps[at]);
        }
        if (std::abs(simulation.truth[voxel]) > 0.05) {
            result.push_back(of_maps > 0 ? std::sqrt(std::max(0.0, 1 - std::norm(product) / (of_maps * of_coils))) : 1);
        }
    }
    return result;
}

/// Where an object comes near the edges of the field of view ESPIRiT has several eigenvalues near 1, and a voxel whose
/// map is another of their eigenvectors is a bright or dark point of the image.
TEST(SimulatedCoilMaps, AreThoseOfTheCoilsInEveryVoxelOfALargeObject) {
    for (const std::string trajectory : {"radial", "spiral"}) {
        const Simulation simulation = simulate_scan(fully_sampled("heart", trajectory, {64, 64, 1}, 8, 50));
        const std::vector<double> of_voxels = angles(simulation, {});
        EXPECT_LT(*std::max_element(of_voxels.begin(), of_voxels.end()), 0.15) << trajectory;
    }
}

/// Walsh's maps explain more of noisy calibration data, noise among it.
TEST(SimulatedCoilMaps, AreEspiritsInNoise) {
    const Simulation simulation =
        simulate_scan(fully_sampled("shepp-logan", "radial-centre-out", {24, 25, 26}, 12, 3.8));
    const auto mean = [&](const CoilOptions& options) {
        double sum = 0;
        const std::vector<double> of_voxels = angles(simulation, options);
        for (const double angle : of_voxels) {
            sum += angle;
        }
        return sum / static_cast<double>(of_voxels.size());
    };
    const double of_espirit = mean({.method = CoilMapMethod::espirit});
    EXPECT_EQ(mean({}), of_espirit);
    EXPECT_GT(mean({.method = CoilMapMethod::walsh}), 1.5 * of_espirit);
}

/// Noise of the calibration data is explained by no maps.
TEST(SimulatedCoilMaps, AreNotDoubtedForTheNoise) {
    const Simulation simulation =
        simulate_scan(fully_sampled("shepp-logan", "radial-centre-out", {24, 25, 26}, 6, 1.2));
    const Scan& scan = simulation.scan;
    const Frame& frame = scan.frames.front();
    const AllCoils kspace(frame.kspace, scan.coil_count);
    const CoilOptions options;
    const auto is_doubted = [&](double noise_sigma) {
        Log log;
        const LogBinding binding(&log);
        CoilEstimation(frame, kspace, scan.geometry.matrix_size, options, {},
                       calibration_place(frame, kspace, scan.geometry.matrix_size, options), noise_sigma)
            .maps(*make_cpu_backend(0));
        return std::ranges::any_of(log.history(), [](const std::string& line) {
            return line.find("no image explains more") != std::string::npos;
        });
    };
    EXPECT_TRUE(is_doubted(0));
    EXPECT_FALSE(is_doubted(simulation.noise_standard_deviation));
}

}  // namespace
}  // namespace recon
