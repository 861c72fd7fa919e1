#pragma once

#include <cmath>
#include <random>
#include <string>

#include "app/reconstruction/reconstruction.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/mri/metrics/image_metrics.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon::test {

/// One simulated scan that a lambda is chosen for, 64 x 64 voxels, 8 coils.
struct LambdaCase {
    std::string phantom;  ///< brain, shepp-logan or blobs
    double snr = 20;
    double undersampling = 1;
    const char* prior = "identity";
};

/// Blobs of all sizes with a phase that turns smoothly, on a grid of 192 x 192: nothing like the other two.
inline Image blobs() {
    constexpr Index n = 192;
    std::mt19937 generator(7);
    const auto uniform = [&] { return static_cast<double>(generator()) / 4294967296.0; };  // the same on every machine
    std::vector<double> magnitude(n * n, 0.0);
    for (int blob = 0; blob < 60; ++blob) {
        const double radius = 0.015 * std::pow(10.0, uniform()), angle = 2 * pi * uniform(),
                     distance = 0.36 * std::sqrt(uniform()), height = 0.2 + 0.8 * uniform();
        const double cx = distance * std::cos(angle), cy = distance * std::sin(angle);
        for (Index y = 0; y < n; ++y) {
            for (Index x = 0; x < n; ++x) {
                const double dx = static_cast<double>(x - n / 2) / n - cx, dy = static_cast<double>(y - n / 2) / n - cy;
                magnitude[x + n * y] += height / (1 + std::exp((std::hypot(dx, dy) - radius) * n));
            }
        }
    }
    Image image;
    image.geometry.matrix_size = {n, n, 1};
    for (Index y = 0; y < n; ++y) {
        for (Index x = 0; x < n; ++x) {
            const double u = static_cast<double>(x) / n, v = static_cast<double>(y) / n;
            const double phase = 2 * std::sin(2 * pi * u) + 1.5 * std::cos(2 * pi * (u + v));
            image.voxels.push_back(cfloat(std::polar(magnitude[x + n * y], phase)));
        }
    }
    return image;
}

inline Simulation simulate(const LambdaCase& c, Backend& backend) {
    SimulationOptions options;
    options.trajectory = "radial";
    options.request.matrix_size = {64, 64, 1};
    options.request.undersampling = c.undersampling;
    options.coil_count = 8;
    options.snr = c.snr;
    options.seed = 3;
    if (c.phantom == "blobs") {
        return simulate_scan_of(blobs(), backend, options);
    }
    options.phantom = c.phantom;
    return simulate_scan(options);
}

inline FrameResult reconstructed(const Simulation& simulation, Backend& backend, const ReconstructOptions& options) {
    Scan scan = simulation.scan;
    RunControl control;
    return std::move(reconstruct(scan, backend, options, control).front());
}

inline double nrmse(const std::vector<cfloat>& image, const std::vector<cfloat>& truth) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        difference += std::norm(cdouble(image[i]) - cdouble(truth[i]));
        size += std::norm(cdouble(truth[i]));
    }
    return std::sqrt(difference / size);
}

struct Oracle {
    double lambda = 0;
    double nrmse = 1e300;
};

/// The best lambda, known from the truth: a sweep by half decades, then by eighths around the best.
inline Oracle best_lambda(const Simulation& simulation, Backend& backend, ReconstructOptions options) {
    Oracle best;
    const auto try_one = [&](double exponent) {
        const double lambda = std::pow(10.0, exponent);
        options.regularisation.terms.front().lambda = lambda;
        options.regularisation.terms.front().origin = LambdaOrigin::given;
        const double error = nrmse(reconstructed(simulation, backend, options).image, simulation.truth);
        if (error < best.nrmse) {
            best = {lambda, error};
        }
    };
    for (double exponent = -5; exponent <= 1; exponent += 0.5) {
        try_one(exponent);
    }
    const double centre = std::log10(best.lambda);
    for (const double step : {-0.375, -0.25, -0.125, 0.125, 0.25, 0.375}) {
        try_one(centre + step);
    }
    return best;
}

}  // namespace recon::test
