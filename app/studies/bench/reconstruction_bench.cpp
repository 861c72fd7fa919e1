#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reconstruction/reconstruction.hpp"
#include "app/studies/bench/bench.hpp"
#include "core/base/log.hpp"
#include "core/mri/metrics/image_metrics.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

constexpr int iterations = 30;

/// A scan of cones, the 3-D spirals of today, with about `sample_count` samples.
Simulation simulated(Index n, Index coil_count, double sample_count) {
    SimulationOptions options;
    options.coil_count = coil_count;
    options.request.matrix_size = {n, n, n};
    options.request.undersampling = 1;
    const double at_nyquist =
        static_cast<double>(design_trajectory("cones", options.request).trajectory.sample_count());
    options.request.undersampling = at_nyquist / sample_count;
    return simulate_scan(options);
}

BenchRow bench_scan(const BenchSetting& setting, const std::string& work, Index n, Index coil_count,
                    double sample_count) {
    Simulation simulation = simulated(n, coil_count, sample_count);
    ReconstructOptions options;
    options.cg = {.iterations = iterations};
    options.measure_accuracy = false;
    std::vector<FrameResult> results;
    const Timing time = time_of(setting.backend, [&] {
        RunControl control;
        results = reconstruct(simulation.scan, setting.backend, options, control);
    });
    const Index samples = simulation.scan.frames.front().sample_count();
    return {.work = work,
            .size = fmt::format("{}^3, {} coil{}, {:.2g} samples each, {} iterations", n, coil_count,
                                coil_count > 1 ? "s" : "", static_cast<double>(samples), results.front().cg.iterations),
            .seconds = time.seconds,
            .noise = time.noise,
            .error = compare_images(results.front().image, simulation.truth, {n, n, n}).nrmse,
            .error_of = "the true image, noise of SNR 20 included"};
}

}  // namespace

std::vector<BenchRow> bench_reconstruction(const BenchSetting& setting) {
    const Index n = setting.size / 2;
    const double voxels = std::pow(n, 3);
    return {bench_scan(setting, "arrays in memory to image", n, 1, 12.2 * voxels),  // 3.2e6 samples at 64^3
            bench_scan(setting, "arrays in memory to image", setting.size, 8, voxels * 8)};
}

}  // namespace recon
