#include "core/mri/density_compensation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/backend/cpu/cpu_backend.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

class DensityCompensation : public test::EveryBackend {};

/// One sample on every point of a grid `per_cycle` times finer than the Nyquist condition asks for.
Trajectory cartesian(Index n, Index per_cycle) {
    Trajectory trajectory;
    for (Index j = 0; j < n * per_cycle; ++j) {
        for (Index i = 0; i < n * per_cycle; ++i) {
            const auto at = [&](Index index) {
                return (static_cast<double>(index) + 0.5) / static_cast<double>(per_cycle) - static_cast<double>(n) / 2;
            };
            trajectory.k[0].push_back(at(i));
            trajectory.k[1].push_back(at(j));
            trajectory.k[2].push_back(0);
        }
    }
    return trajectory;
}

TEST_P(DensityCompensation, OfAnEvenGridIsItsCell) {
    const Index n = 24;
    for (const Index per_cycle : {1, 2}) {
        const Trajectory trajectory = cartesian(n, per_cycle);
        const std::vector<double> weights = pipe_menon_weights(*backend_, trajectory, {n, n, 1});
        for (Index m = 0; m < trajectory.sample_count(); ++m) {
            const double edge =
                static_cast<double>(n) / 2 - 3;  // k-space wraps, yet the last points are of other phase
            if (std::abs(trajectory.k[0][m]) < edge && std::abs(trajectory.k[1][m]) < edge) {
                // Samples one cycle apart are as far apart as psi is wide: they see its shape as well as its integral.
                ASSERT_NEAR(weights[m] * static_cast<double>(per_cycle * per_cycle), 1, per_cycle == 1 ? 0.1 : 0.01)
                    << m;
            }
        }
    }
}

TEST_P(DensityCompensation, OfSpokesGrowsWithTheRadius) {
    const Index n = 32;
    const Index spoke_count = 60;
    Trajectory trajectory;
    for (Index spoke = 0; spoke < spoke_count; ++spoke) {
        const double angle = pi * static_cast<double>(spoke) / spoke_count;
        for (Index i = 0; i < 2 * n; ++i) {
            const double radius = 0.5 * (static_cast<double>(i) + 0.5 - static_cast<double>(n));
            trajectory.k[0].push_back(radius * std::cos(angle));
            trajectory.k[1].push_back(radius * std::sin(angle));
            trajectory.k[2].push_back(0);
        }
    }
    const std::vector<double> weights = pipe_menon_weights(*backend_, trajectory, {n, n, 1});
    // The cell of a sample: half a cycle along the spoke, |k| pi / spokes across it.
    for (Index i = n + 8; i < 2 * n - 8; ++i) {
        const double radius = 0.5 * (static_cast<double>(i) + 0.5 - static_cast<double>(n));
        EXPECT_NEAR(weights[i] / (0.5 * radius * pi / spoke_count), 1, 0.15) << "radius " << radius;
    }
}

TEST_P(DensityCompensation, OfSamplesAboutTheCentreTakesASmallGridAndIsTheSame) {
    const PerAxis<Index> matrix_size{64, 60, 50};
    Trajectory trajectory = test::random_trajectory(2000, {12, 12, 12}, 9);
    const std::vector<double> small = pipe_menon_weights(*backend_, trajectory, matrix_size);
    for (int axis = 0; axis < 3; ++axis) {  // one far from all others, which makes the grid whole
        trajectory.k[axis].push_back(static_cast<double>(matrix_size[axis]) / 2 - 1);
    }
    std::vector<double> whole = pipe_menon_weights(*backend_, trajectory, matrix_size);
    whole.pop_back();
    EXPECT_LT(test::relative_difference({small.begin(), small.end()}, {whole.begin(), whole.end()}),
              1e-5);  // roundings of single precision over twenty iterations
}

TEST_P(DensityCompensation, IsThatOfTheCpuAndRepeatsItself) {
    const Trajectory trajectory = test::random_trajectory(3000, {20, 21, 9}, 5);
    const auto cpu = make_cpu_backend(0);
    const std::vector<double> there = pipe_menon_weights(*backend_, trajectory, {20, 21, 9});
    const std::vector<double> here = pipe_menon_weights(*cpu, trajectory, {20, 21, 9});
    double difference = 0;
    double size = 0;
    for (std::size_t m = 0; m < here.size(); ++m) {
        difference += std::pow(there[m] - here[m], 2);
        size += std::pow(here[m], 2);
    }
    EXPECT_LT(std::sqrt(difference / size), 1e-5);  // roundings of single precision over twenty iterations
    EXPECT_EQ(pipe_menon_weights(*backend_, trajectory, {20, 21, 9}), there);
}

INSTANTIATE_TEST_SUITE_P(, DensityCompensation, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
