#pragma once

#include <array>
#include <vector>

#include "app/reconstruction/reconstruction.hpp"
#include "core/mri/metrics/image_metrics.hpp"
#include "data/simulation/phantom_object.hpp"
#include "data/simulation/trajectories/gyromagnetic_ratios.hpp"

namespace recon::test {

/// The noisy image of a low-resolution nucleus, with a proton image of the same head at twice its resolution.
struct SodiumStudy {
    PerAxis<Index> matrix{64, 64, 1};
    std::string trajectory = "radial";
    double snr = 5;
    double reference_snr = 30;
    std::uint64_t seed = 1;
};

struct SodiumScan {
    Scan scan;
    std::vector<cfloat> truth;
    Image reference;
};

inline SodiumScan simulate_sodium(const SodiumStudy& study) {
    SimulationOptions options;
    options.phantom = "sodium";
    options.request.matrix_size = study.matrix;
    options.request.field_of_view_mm = {220, 220, 220};
    options.request.limits.gyromagnetic_ratio_hz_per_t = gyromagnetic_ratio_hz_per_t("23Na");
    options.request.readout_oversampling = 1;  // SNR 5 is to stay about 5: no averaging along readouts
    options.trajectory = study.trajectory;
    options.coil_count = 1;
    options.snr = study.snr;
    options.seed = study.seed;
    Simulation simulation = simulate_scan(options);
    PerAxis<Index> fine = study.matrix;
    for (Index& n : fine) {
        n = n > 1 ? 2 * n : 1;
    }
    return {std::move(simulation.scan), std::move(simulation.truth),
            simulate_reference_image(options, fine, study.reference_snr)};
}

/// The error of one image: one prior, one lambda.
struct SodiumResult {
    double lambda = 0;
    FrameResult result;
    double nrmse = 0;
};

inline SodiumResult reconstruct_sodium(const SodiumScan& sodium, Backend& backend, const char* prior, double lambda,
                                       bool report = false) {
    ReconstructOptions options;
    options.cg = {.iterations = 100, .stop = 1e-4};
    options.measure_accuracy = false;
    options.regularisation.terms = {{prior, lambda}};
    options.regularisation.report = report;
    auto images = std::make_shared<PriorImages>();
    images->reference_path = "proton image";
    images->reference = sodium.reference;
    options.regularisation.images = images;
    Scan scan = sodium.scan;
    RunControl control;
    SodiumResult found{.lambda = lambda, .result = reconstruct(scan, backend, options, control).front()};
    found.nrmse = compare_images(found.result.image, sodium.truth, scan.geometry.matrix_size).nrmse;
    return found;
}

/// The lambdas of the sweep, a factor of 10^(1/4) to 10^(1/2) apart, wide enough for each prior's best to lie inside.
inline std::vector<double> sweep_lambdas(double first, double last, int steps_per_decade) {
    std::vector<double> lambdas;
    const int count = static_cast<int>(std::lround(std::log10(last / first) * steps_per_decade));
    for (int i = 0; i <= count; ++i) {
        lambdas.push_back(first * std::pow(10.0, static_cast<double>(i) / steps_per_decade));
    }
    return lambdas;
}

}  // namespace recon::test
