// The g-factor against the formula of Cartesian SENSE.
#include "app/reconstruction/scan_prior/noise_amplification.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "app/reconstruction/reconstruction.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"

namespace recon {
namespace {

constexpr Index n = 20;

struct Sense {
    Index coil_count;
    Index reduction;
};

/// Every second or fourth line of a Cartesian grid, and maps that differ smoothly.
Scan sense_scan(const Sense& sense) {
    SimulationOptions simulated;
    simulated.trajectory = "radial";
    simulated.request.matrix_size = {n, n, 1};
    simulated.coil_count = sense.coil_count;
    Scan scan = simulate_scan(simulated).scan;
    auto trajectory = std::make_shared<Trajectory>();
    for (Index y = -n / 2; y < n / 2; y += sense.reduction) {
        for (Index x = -n / 2; x < n / 2; ++x) {
            trajectory->k[0].push_back(static_cast<double>(x));
            trajectory->k[1].push_back(static_cast<double>(y));
            trajectory->k[2].push_back(0);
        }
    }
    Frame& frame = scan.frames.front();
    frame.kspace.assign(static_cast<std::size_t>(sense.coil_count) * trajectory->k[0].size(), 1);
    frame.trajectory = trajectory;
    frame.sample_times_s = {};
    frame.density_weights = {};
    scan.samples_per_readout = n;
    return scan;
}

/// [Pruessmann 1999, eq. 23] for voxels that fold onto each other.
std::vector<double> formula(const Scan& scan, const Sense& sense) {
    const auto [coil_count, reduction] = sense;
    std::vector<double> g(n * n);
    const auto map = [&](Index coil, Index x, Index y) {
        return std::complex<double>(scan.coil_maps[static_cast<std::size_t>((coil * n + y) * n + x)]);
    };
    for (Index x = 0; x < n; ++x) {
        for (Index y = 0; y < n / reduction; ++y) {
            Eigen::MatrixXcd s(coil_count, reduction);
            for (Index coil = 0; coil < coil_count; ++coil) {
                for (Index fold = 0; fold < reduction; ++fold) {
                    s(coil, fold) = map(coil, x, y + fold * n / reduction);
                }
            }
            const Eigen::MatrixXcd a = s.adjoint() * s;
            const Eigen::MatrixXcd inverse = a.inverse();
            for (Index fold = 0; fold < reduction; ++fold) {
                g[static_cast<std::size_t>((y + fold * n / reduction) * n + x)] =
                    std::sqrt(inverse(fold, fold).real() * a(fold, fold).real());
            }
        }
    }
    return g;
}

struct GFactor : ::testing::TestWithParam<Sense> {};

/// Also where it is large, for directions that the data hardly see.
TEST_P(GFactor, IsThatOfCartesianSense) {
    const Scan scan = sense_scan(GetParam());
    const std::vector<double> expected = formula(scan, GetParam());
    ReconstructOptions options;
    options.measure_accuracy = false;
    options.regularisation.g_factor_draws = 400;
    for (const int ranks : {1, 2}) {
        RunControl control;
        Scan taken = scan;
        const FrameResult result = std::move(reconstruct(taken, test::cpu_team(ranks), options, control).front());
        const auto found = std::find_if(result.extras.begin(), result.extras.end(),
                                        [](const NamedArray& array) { return array.name == "uncertainty/g_factor"; });
        ASSERT_NE(found, result.extras.end());
        const std::vector<float>& g = std::get<std::vector<float>>(found->values);
        ASSERT_EQ(g.size(), expected.size());
        double square = 0, largest = 0;
        for (std::size_t i = 0; i < g.size(); ++i) {
            square += std::pow(g[i] / expected[i] - 1, 2) / static_cast<double>(g.size());
            largest = std::max(largest, expected[i]);
        }
        EXPECT_LT(std::sqrt(square), 0.035) << "each voxel is good to 2.5 %";
        EXPECT_GT(largest, GetParam().reduction == 4 ? 5 : 1.1) << "or there is nothing to be seen";
    }
}

/// In whatever unit weights are given; weights that are all alike are none.
TEST(GFactorWithWeights, DoesNotDependOnTheirUnit) {
    const Scan scan = sense_scan({4, 2});
    const auto g_of = [&](SampleWeighting weighting, float even, float odd) {
        Scan taken = scan;
        Frame& frame = taken.frames.front();
        std::vector<float> weights;
        for (Index m = 0; m < frame.sample_count(); ++m) {
            weights.push_back(m % 2 == 0 ? even : odd);
        }
        frame.density_weights = weights;
        ReconstructOptions options;
        options.measure_accuracy = false;
        options.weighting = weighting;
        options.regularisation.g_factor_draws = 20;
        RunControl control;
        const FrameResult result = std::move(reconstruct(taken, test::cpu_team(1), options, control).front());
        return std::get<std::vector<float>>(result.extras.back().values);
    };
    const std::vector<float> without = g_of(SampleWeighting::none, 1, 1), alike = g_of(SampleWeighting::density, 4, 4),
                             uneven = g_of(SampleWeighting::density, 1, 0.5F),
                             in_other_unit = g_of(SampleWeighting::density, 16, 8);
    double mean = 0, mean_uneven = 0;
    for (std::size_t i = 0; i < without.size(); ++i) {
        EXPECT_EQ(alike[i], without[i]);
        EXPECT_NEAR(in_other_unit[i], uneven[i], 1e-3 * uneven[i]);
        mean += without[i];
        mean_uneven += uneven[i];
    }
    EXPECT_GT(mean_uneven, 1.01 * mean) << "weights that the noise does not ask for cost some";
    EXPECT_LT(mean_uneven, 1.2 * mean);
}

INSTANTIATE_TEST_SUITE_P(, GFactor, ::testing::Values(Sense{4, 2}, Sense{8, 4}));

}  // namespace
}  // namespace recon
