// The means over neighbouring frequencies: what they are in space, and that dense centres of k-space take fewer
// iterations.
#include "core/operators/preconditioners/smooth_frequencies.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/operators/encoding.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"
#include "core/operators/q_kernel.hpp"
#include "solver/conjugate_gradient.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

constexpr double rounding = 1e-6;  // of sums of nine numbers, along three axes, in single precision

std::vector<float> positive_values(PerAxis<Index> grid) {
    std::vector<float> values;
    for (const cdouble& value : test::random_values(grid[0] * grid[1] * grid[2], 3)) {
        values.push_back(static_cast<float>(std::norm(value)));
    }
    return values;
}

TEST(SmoothFrequenciesInSpace, AreRowsTimesCosinesInSpace) {
    for (const Index n : {2, 5, 12}) {
        const std::vector<float> values = positive_values({n, 1, 1});
        const std::vector<float> smooth = smooth_frequencies(values, {n, 1, 1});
        for (Index x = 0; x < n; ++x) {
            cdouble before = 0, after = 0;
            for (Index k = 0; k < n; ++k) {
                const cdouble wave = std::polar(1.0, 2 * pi * static_cast<double>(k * x) / static_cast<double>(n));
                before += static_cast<double>(values[k]) * wave;
                after += static_cast<double>(smooth[k]) * wave;
            }
            const double expected = std::pow(std::cos(pi * static_cast<double>(x) / static_cast<double>(n)), 8);
            EXPECT_LT(std::abs(after - expected * before), rounding * 5 * static_cast<double>(n)) << n << x;
        }
    }
}

class SmoothFrequencies : public ::testing::TestWithParam<PerAxis<Index>> {};

TEST_P(SmoothFrequencies, TreatEachAxisAlike) {
    const PerAxis<Index> grid = GetParam(), turned{grid[2], grid[0], grid[1]};
    const std::vector<float> values = positive_values(grid);
    std::vector<float> turned_values(values.size());
    const auto at = [&](Index x, Index y, Index z) { return x + grid[0] * (y + grid[1] * z); };
    const auto turned_at = [&](Index x, Index y, Index z) { return z + turned[0] * (x + turned[1] * y); };
    const auto each = [&](const auto& function) {
        for (Index z = 0; z < grid[2]; ++z) {
            for (Index y = 0; y < grid[1]; ++y) {
                for (Index x = 0; x < grid[0]; ++x) {
                    function(at(x, y, z), turned_at(x, y, z));
                }
            }
        }
    };
    each([&](Index from, Index to) { turned_values[to] = values[from]; });
    const std::vector<float> smooth = smooth_frequencies(values, grid);
    const std::vector<float> smooth_turned = smooth_frequencies(turned_values, turned);
    each([&](Index from, Index to) { EXPECT_NEAR(smooth[from], smooth_turned[to], 5 * rounding); });
    EXPECT_NEAR(std::accumulate(smooth.begin(), smooth.end(), 0.0), std::accumulate(values.begin(), values.end(), 0.0),
                rounding * static_cast<double>(values.size()));
}

INSTANTIATE_TEST_SUITE_P(, SmoothFrequencies,
                         ::testing::Values(PerAxis<Index>{4, 3, 5}, PerAxis<Index>{300, 3, 6},
                                           PerAxis<Index>{1, 2, 260}));

TEST(SmoothFrequenciesInSpace, LeaveListsOfAnotherSize) {
    EXPECT_EQ(smooth_frequencies({1}, {8, 8, 8}), std::vector<float>{1});
}

/// Lines through the centre, along directions of a Fibonacci lattice: of density 1 / |k|^2.
Trajectory radial_trajectory(Index n, Index lines) {
    Trajectory trajectory;
    for (Index line = 0; line < lines; ++line) {
        const double z = (static_cast<double>(line) + 0.5) / static_cast<double>(lines);
        const double turn = 2 * pi * 0.618034 * static_cast<double>(line), radius = std::sqrt(1 - z * z);
        for (Index sample = 0; sample < 2 * n; ++sample) {
            const double k = static_cast<double>(sample - n) / 2;
            trajectory.k[0].push_back(k * radius * std::cos(turn));
            trajectory.k[1].push_back(k * radius * std::sin(turn));
            trajectory.k[2].push_back(k * z);
        }
    }
    return trajectory;
}

class SmoothPreconditioner : public test::EveryBackend {};

TEST_P(SmoothPreconditioner, TakesFewerIterationsWhereTheCentreIsDense) {
    constexpr Index n = 16;
    const PerAxis<Index> matrix{n, n, n};
    const Shape image = Shape::image(matrix);
    const Trajectory trajectory = radial_trajectory(n, 250);
    const Array q = compute_q(*backend_, trajectory, matrix, {}, {SumsMethod::exact, 1e-12, Precision::double_});
    const auto coils = std::make_shared<const CoilSensitivity>();
    const Encoding encoding(
        *backend_, {.sums = backend_->make_exact_sums(trajectory, VoxelGrid::image(matrix), Precision::double_),
                    .coils = coils,
                    .sample_factors = nullptr,
                    .toeplitz = backend_->make_toeplitz(image, q, Precision::double_)});
    const Normal system(encoding);
    const std::vector<float> spectrum = circulant_spectrum(*backend_, q, *coils, matrix);
    const auto iterations_with = [&](const std::vector<float>& of_data) {
        std::vector<double> values(of_data.begin(), of_data.end());
        for (double& value : values) {
            value += 1e-6 * static_cast<double>(spectrum.front());
        }
        const CirculantPreconditioner preconditioner(*backend_, image, values, Precision::double_);
        const Array b = test::random_array(*backend_, image, Precision::double_, 2);
        Array product(*backend_, image, Precision::double_), x(*backend_, image, Precision::double_);
        system.forward(b, product);
        backend_->fill(0, x);
        return solve_cg(system, product, x, {.iterations = 400, .stop = 1e-4}, nullptr, &preconditioner).iterations;
    };
    const int plain = iterations_with(spectrum), smooth = iterations_with(smooth_frequencies(spectrum, matrix));
    EXPECT_LT(smooth, 0.8 * plain) << plain;
}

INSTANTIATE_TEST_SUITE_P(, SmoothPreconditioner, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
