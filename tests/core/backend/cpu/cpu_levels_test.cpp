// The kernels of every level of the processor that this one has (docs/decisions/0014-one-binary.md).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/fourier/direct_sums.hpp"
#include "core/heart/cpu_excitation.hpp"
#include "core/operators/q_kernel.hpp"
#include "core/operators/sampling/fourier_sums_choice.hpp"
#include "core/processor/cpu_level.hpp"
#include "tests/support/at_cpu_level.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

class CpuLevels : public test::AtCpuLevel {};

TEST_P(CpuLevels, SumAsTheDefinitionDoes) {
    const VoxelGrid grid = VoxelGrid::image({13, 11, 7});
    const Trajectory trajectory = test::random_trajectory(700, {13, 11, 7}, 5);
    const std::vector<cdouble> samples = test::random_values(700, 6);
    const std::vector<cdouble> expected = direct_adjoint(trajectory, grid, samples);
    const auto backend = make_cpu_backend(2);
    for (const SumsMethod method : {SumsMethod::exact, SumsMethod::nufft}) {
        for (const Precision precision : {Precision::single, Precision::double_}) {
            // What is asked of NUFFT, whose bounds are not strict: twice that is allowed, 30 and 2e6 units of rounding,
            // of which exact sums over 700 samples make sqrt(700).
            const double tolerance = precision == Precision::single ? 1e-6 : 1e-10;
            const SumsChoice choice = choose_sums(*backend, {method, tolerance, precision}, 700, grid, 1);
            const auto sums = make_fourier_sums(*backend, trajectory, choice);
            Array kspace(*backend, Shape::samples(700), precision);
            Array image(*backend, Shape::image({13, 11, 7}), precision);
            upload(samples, kspace);
            sums->adjoint(kspace, image);
            EXPECT_LT(test::relative_difference(download<double>(image), expected), 2 * tolerance)
                << choice.reason << ", " << name_of(precision);
            sums->forward(image, kspace);
            EXPECT_LT(test::relative_difference(download<double>(kspace),
                                                direct_forward(trajectory, grid, download<double>(image))),
                      2 * tolerance)
                << choice.reason << ", " << name_of(precision);
        }
    }
}

/// Every width has inner loops of its own, with rows of one or two lengths. The best level's results are compared with
/// the definition in gridding_test.cpp.
TEST_P(CpuLevels, GridWithEveryWidthAsTheBestLevelDoes) {
    const auto backend = make_cpu_backend(2);
    limit_cpu_level(CpuLevel::v4);
    const auto best = make_cpu_backend(2);
    const auto spread_and_interpolate = [](Backend& on, const Trajectory& trajectory, const GriddingGeometry& geometry,
                                           Precision precision) {
        const auto plan = on.make_gridding(trajectory, geometry, precision);
        Array samples(on, Shape::samples(trajectory.sample_count()), precision);
        Array grid(on, Shape::image(geometry.grid_size), precision);
        upload(test::random_values(trajectory.sample_count(), 4), samples);
        plan->spread(samples, grid);
        plan->interpolate(grid, samples);
        return std::pair{download<double>(grid), download<double>(samples)};
    };
    for (int width = GriddingKernel::min_width; width <= GriddingKernel::max_width; ++width) {
        for (const PerAxis<Index>& grid_size : {PerAxis<Index>{50, 1, 1}, {36, 1, 30}, {20, 18, 24}}) {
            const GriddingGeometry geometry{grid_size, {2, 2, 2}, GriddingKernel::of_width(width, 2)};
            const Trajectory trajectory = test::random_trajectory(100, grid_size, 3);
            const auto [grid, samples] = spread_and_interpolate(*best, trajectory, geometry, Precision::double_);
            for (const Precision precision : {Precision::single, Precision::double_}) {
                SCOPED_TRACE(testing::Message() << "width " << width << ", " << Shape::image(grid_size).text() << ", "
                                                << name_of(precision));
                // Of three weights, polynomials, and of sums of some ten products: 16 units of rounding.
                const double rounding = precision == Precision::single ? 0x1p-20 : 0x1p-49;
                const auto here = spread_and_interpolate(*backend, trajectory, geometry, precision);
                EXPECT_LT(test::relative_difference(here.first, grid), rounding);
                EXPECT_LT(test::relative_difference(here.second, samples), 2 * rounding);
            }
        }
    }
}

/// In both precisions, and as each other: lanes of another width, other lengths of pencils.
TEST_P(CpuLevels, ConvolveWithQ) {
    const PerAxis<Index> matrix{12, 9, 5};
    const auto backend = make_cpu_backend(2);
    const Trajectory trajectory = test::random_trajectory(300, matrix, 8);
    const Array q = compute_q(*backend, trajectory, matrix, {}, {SumsMethod::exact, 1e-10, Precision::double_});
    const std::vector<cdouble> values = test::random_values(12 * 9 * 5, 9);
    const VoxelGrid grid = VoxelGrid::image(matrix);
    const std::vector<cdouble> expected = direct_adjoint(trajectory, grid, direct_forward(trajectory, grid, values));
    // Two transforms of 24 x 18 x 10 points are 24 passes of radix 2, with a rounding each; some more for Q and the
    // sums of the definition. They add up at most.
    constexpr double roundings = 32;
    for (const Precision precision : {Precision::single, Precision::double_}) {
        Array image(*backend, Shape::image(matrix), precision);
        Array result(*backend, Shape::image(matrix), precision);
        upload(values, image);
        backend->make_toeplitz(image.shape(), q, precision)->apply(image, std::nullopt, result);
        EXPECT_LT(test::relative_difference(download<double>(result), expected),
                  roundings * (precision == Precision::single ? 0x1p-24 : 0x1p-53));
    }
}

TEST_P(CpuLevels, StepTheHeartForward) {
    ExcitationSetup setup;
    setup.size = 50;
    setup.time_step = setup.model.stable_time_step(setup.size);
    const auto sheet = make_cpu_excitation(setup, 2);
    sheet->advance(300);
    limit_cpu_level(CpuLevel::base);
    const auto base = make_cpu_excitation(setup, 2);
    base->advance(300);
    constexpr double rounding = 300 * 20 * 0x1p-53;  // of 20 operations a step, which add up at most
    EXPECT_NEAR(sheet->state().root_mean_square(), base->state().root_mean_square(), rounding);
}

/// Errors cross from the code of one level to that of all.
TEST_P(CpuLevels, RefuseWhatIsNoTrajectory) {
    const auto backend = make_cpu_backend(1);
    Trajectory trajectory = test::random_trajectory(10, {8, 8, 1}, 5);
    trajectory.k[0][3] = std::numeric_limits<double>::quiet_NaN();
    const SumsChoice choice =
        choose_sums(*backend, {SumsMethod::nufft, 1e-4, Precision::single}, 10, VoxelGrid::image({8, 8, 1}), 1);
    test::expect_error<InputError>([&] { make_fourier_sums(*backend, trajectory, choice); }, {"sample 3"});
}

INSTANTIATE_TEST_SUITE_P(, CpuLevels, test::every_cpu_level(), [](const auto& info) { return name_of(info.param); });

TEST(CpuLevel, IsTheBestOneThatIsThereAndAllowed) {
    int (*const base)() = [] { return 0; };
    int (*const v3)() = [] { return 3; };
    int (*const v4)() = [] { return 4; };
    const CpuLevel best = cpu_level();
    limit_cpu_level(CpuLevel::base);
    EXPECT_EQ(at_cpu_level(base, v3, v4)(), 0);
    limit_cpu_level(CpuLevel::v4);
    EXPECT_EQ(cpu_level(), best);
    EXPECT_EQ(at_cpu_level<int()>(base, nullptr, nullptr)(), 0);
    if (best == CpuLevel::v4) {
        EXPECT_EQ(at_cpu_level(base, v3, v4)(), 4);
        EXPECT_EQ(at_cpu_level<int()>(base, v3, nullptr)(), 3);
    }
    for (const CpuLevel level : {CpuLevel::base, CpuLevel::v3, CpuLevel::v4}) {
        EXPECT_EQ(cpu_level_of_name(name_of(level)), level);
    }
    test::expect_error<UsageError>([] { cpu_level_of_name("avx"); }, {"avx", "base", "v3", "v4"});
}

}  // namespace
}  // namespace recon
