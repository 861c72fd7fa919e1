#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/reconstruction/reconstruction.hpp"
#include "core/mri/metrics/image_metrics.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"

namespace recon::test {

struct Case {
    std::string trajectory = "golden-radial";
    PerAxis<Index> matrix{40, 37, 1};
    Index coils = 1;
    double snr = 10;
    double undersampling = 1;
    unsigned seed = 3;  ///< of the noise
};

inline Simulation simulate(const Case& c, const std::string& phantom = "brain") {
    SimulationOptions options;
    options.phantom = phantom;
    options.trajectory = c.trajectory;
    options.request.matrix_size = c.matrix;
    options.request.undersampling = c.undersampling;
    options.coil_count = c.coils;
    options.snr = c.snr;
    options.seed = c.seed;
    return simulate_scan(options);
}

inline ReconstructOptions with(ScanPrior prior) {
    ReconstructOptions options;
    options.regularisation.scan = prior;
    options.measure_accuracy = false;
    return options;
}

inline FrameResult reconstructed(Scan scan, const ReconstructOptions& options, int rank_count = 1) {
    RunControl control;
    return std::move(reconstruct(scan, cpu_team(rank_count), options, control).front());
}

inline double error_of(const std::vector<cfloat>& image, const Simulation& simulation) {
    return compare_images(image, simulation.truth, simulation.scan.geometry.matrix_size).nrmse_scaled;
}

/// Of the predicted error, what is not detail finer than the voxels.
inline double resolved_error(const ScanPriorReport& report) {
    return std::sqrt(std::pow(report.predicted_error, 2) - std::pow(report.unresolved, 2));
}

inline const std::vector<float>& deviations_of(const FrameResult& result) {
    const auto sd = std::find_if(result.extras.begin(), result.extras.end(),
                                 [](const NamedArray& array) { return array.name == "uncertainty/sd"; });
    EXPECT_NE(sd, result.extras.end());
    return std::get<std::vector<float>>(sd->values);
}

}  // namespace recon::test
