#include <cmath>
#include <cstring>
#include <limits>

#include "core/backend/cpu/cpu_backend.hpp"
#include "gpu/gridding/gridding_memory.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

/// One, two and three axes; tiles of many sizes; grids narrower than the kernel, which are met several times.
const std::vector<PerAxis<Index>> grid_sizes{{1, 1, 1},    {2, 1, 1},    {5, 1, 1},   {3000, 1, 1}, {1, 40, 1},
                                             {1, 1, 9},    {81, 125, 1}, {64, 1, 6},  {1, 75, 80},  {4, 3, 2},
                                             {20, 24, 18}, {50, 45, 32}, {60, 2, 45}, {97, 31, 24}};

GriddingGeometry geometry_of(PerAxis<Index> grid_size, int width) {
    return {grid_size, {2, 2, 2}, GriddingKernel::of_width(width, 2)};
}

/// Anywhere, beyond the grid too; at its edges, on grid points and between them; a third near the centre, so that
/// tiles there are divided.
Trajectory awkward_trajectory(Index sample_count, PerAxis<Index> grid_size, unsigned seed) {
    PerAxis<Index> twice = grid_size;
    for (Index& size : twice) {
        size *= 2;
    }
    Trajectory trajectory = test::random_trajectory(sample_count, twice, seed);
    for (Index m = 0; m < sample_count; ++m) {
        for (int axis = 0; axis < 3; ++axis) {
            double& k = trajectory.k[axis][m];
            const double edge = 0.25 * static_cast<double>(grid_size[axis]);
            switch (m % 12) {
                case 0: k = edge; break;
                case 1: k = -edge; break;
                case 2: k = std::round(k); break;
                case 3: k = std::round(k) + 0.25; break;
                case 4: k = 0; break;
                case 5:
                case 6:
                case 7:
                case 8: k *= 1e-3; break;
                default: break;
            }
        }
    }
    return trajectory;
}

class GpuGridding : public test::OnGpu<> {
protected:
    void SetUp() override {
        OnGpu::SetUp();
        cpu_ = make_cpu_backend(0);
    }

    static std::vector<cdouble> spread(Backend& backend, const Trajectory& trajectory, const GriddingGeometry& geometry,
                                       Precision precision, const std::vector<cdouble>& samples) {
        const Index batch_count = static_cast<Index>(samples.size()) / trajectory.sample_count();
        Array in(backend, Shape::samples(trajectory.sample_count()).with_axis("batch", batch_count), precision);
        Array out(backend, Shape::image(geometry.grid_size).with_axis("batch", batch_count), precision);
        backend.fill(std::numeric_limits<double>::quiet_NaN(), out);  // must be overwritten
        upload(samples, in);
        backend.make_gridding(trajectory, geometry, precision)->spread(in, out);
        return download<double>(out);
    }
    static std::vector<cdouble> interpolate(Backend& backend, const Trajectory& trajectory,
                                            const GriddingGeometry& geometry, Precision precision,
                                            const std::vector<cdouble>& grid) {
        const Shape shape = Shape::image(geometry.grid_size);
        const Index batch_count = static_cast<Index>(grid.size()) / shape.element_count();
        Array in(backend, shape.with_axis("batch", batch_count), precision);
        Array out(backend, Shape::samples(trajectory.sample_count()).with_axis("batch", batch_count), precision);
        backend.fill(std::numeric_limits<double>::quiet_NaN(), out);
        upload(grid, in);
        backend.make_gridding(trajectory, geometry, precision)->interpolate(in, out);
        return download<double>(out);
    }

    /// @param decades  that the values range over
    void expect_the_numbers_of_the_cpu(const Trajectory& trajectory, const GriddingGeometry& geometry,
                                       Index batch_count, double decades = 0) {
        const Index sample_count = trajectory.sample_count();
        const Shape shape = Shape::image(geometry.grid_size);
        SCOPED_TRACE(testing::Message() << shape.text() << ", width " << geometry.kernel.width << ", " << sample_count
                                        << " samples, batch " << batch_count);
        const auto values = [&](Index count, unsigned seed) {
            auto result = test::random_values(count, seed), exponents = test::random_values(count, seed + 9);
            for (Index i = 0; i < count; ++i) {
                result[i] *= std::pow(10, decades * (3 - std::min(1.0, std::abs(exponents[i]))));
            }
            return result;
        };
        const auto samples = values(sample_count * batch_count, 2);
        const auto grid = values(shape.element_count() * batch_count, 3);
        const auto expected_grid = spread(*cpu_, trajectory, geometry, Precision::double_, samples);
        const auto expected_samples = interpolate(*cpu_, trajectory, geometry, Precision::double_, grid);
        // Both use the same polynomials, so that only rounding is left: 6e-8 and 1.1e-16 an operation, some ten of
        // them a weight; and in single precision 1e-7 in the place between grid points.
        for (const auto& [precision, rounding] :
             {std::pair{Precision::single, 2e-6}, std::pair{Precision::double_, 5e-15}}) {
            EXPECT_LT(test::relative_difference(spread(gpu(), trajectory, geometry, precision, samples), expected_grid),
                      rounding);
            EXPECT_LT(
                test::relative_difference(interpolate(gpu(), trajectory, geometry, precision, grid), expected_samples),
                rounding);
        }
    }

private:
    std::unique_ptr<Backend> cpu_;
};

TEST_F(GpuGridding, GivesTheNumbersOfTheCpu) {
    for (const auto& grid_size : grid_sizes) {
        expect_the_numbers_of_the_cpu(awkward_trajectory(5000, grid_size, 1), geometry_of(grid_size, 6), 1);
    }
}

TEST_F(GpuGridding, GivesTheNumbersOfTheCpuWithEveryWidth) {
    for (int width = GriddingKernel::min_width; width <= GriddingKernel::max_width; ++width) {
        for (const PerAxis<Index>& grid_size : {PerAxis<Index>{100, 1, 1}, {96, 1, 70}, {60, 48, 40}}) {
            expect_the_numbers_of_the_cpu(awkward_trajectory(1500, grid_size, 4), geometry_of(grid_size, width), 1);
        }
    }
}

TEST_F(GpuGridding, GivesTheNumbersOfTheCpuForBatches) {
    for (const PerAxis<Index>& grid_size : {PerAxis<Index>{1, 1, 1}, {90, 1, 1}, {40, 36, 1}, {24, 30, 20}}) {
        expect_the_numbers_of_the_cpu(awkward_trajectory(3000, grid_size, 5), geometry_of(grid_size, 5), 7);
        expect_the_numbers_of_the_cpu(awkward_trajectory(1, grid_size, 5), geometry_of(grid_size, 5), 3);
    }
}

/// Single precision on three axes goes by halves, scaled by the largest number. Tiles of many parts, of one, of none.
TEST_F(GpuGridding, GivesTheNumbersOfTheCpuForCrowdsOfAnySize) {
    const PerAxis<Index> grid_size{96, 90, 100};
    for (int width = GriddingKernel::min_width; width <= 8; ++width) {
        expect_the_numbers_of_the_cpu(awkward_trajectory(150000, grid_size, 13), geometry_of(grid_size, width), 1, 5);
    }
}

TEST_F(GpuGridding, TakesZerosForZeros) {
    const GriddingGeometry geometry = geometry_of({40, 48, 60}, 6);
    const Trajectory trajectory = awkward_trajectory(3000, geometry.grid_size, 18);
    const std::vector<cdouble> samples(3000), grid(40 * 48 * 60);
    EXPECT_EQ(spread(gpu(), trajectory, geometry, Precision::single, samples), grid);
    EXPECT_EQ(interpolate(gpu(), trajectory, geometry, Precision::single, grid), samples);
}

TEST_F(GpuGridding, TakesAnySampleAlone) {
    const PerAxis<Index> grid_size{30, 20, 25};
    for (unsigned seed = 0; seed < 8; ++seed) {
        expect_the_numbers_of_the_cpu(test::random_trajectory(1, {90, 60, 75}, seed), geometry_of(grid_size, 7), 1);
    }
    // All in one place: one tile of many parts.
    Trajectory same;
    for (auto& k : same.k) {
        k.assign(4000, 3.14);
    }
    expect_the_numbers_of_the_cpu(same, geometry_of(grid_size, 7), 2);
}

/// The plan is made on the device: what it sorts there is what the host sorts, wherever the samples lie.
TEST_F(GpuGridding, SortsTrajectoriesThatNoScannerMakes) {
    for (const PerAxis<Index>& grid_size :
         {PerAxis<Index>{4096, 1, 1}, {3, 1, 1}, {90, 81, 1}, {1, 5, 4}, {64, 50, 48}, {5, 4, 3}}) {
        const GriddingGeometry geometry = geometry_of(grid_size, 6);
        const auto at_one_point = [&](Index count, double k) {
            Trajectory trajectory;
            for (auto& component : trajectory.k) {
                component.assign(count, k);
            }
            return trajectory;
        };
        for (const double k : {0.0, 0.3, -7.75, 1e6 + 0.25}) {  // the last one far outside the band
            expect_the_numbers_of_the_cpu(at_one_point(1, k), geometry, 1);
            expect_the_numbers_of_the_cpu(at_one_point(2500, k), geometry, 1);
        }
        // Two crowds with empty tiles between them, in an order that changes with every sample.
        Trajectory crowds = at_one_point(3001, 0.1);
        for (Index m = 0; m < 3001; m += 2) {
            for (int axis = 0; axis < 3; ++axis) {
                crowds.k[axis][m] = 0.2 * static_cast<double>(grid_size[axis]);
            }
        }
        expect_the_numbers_of_the_cpu(crowds, geometry, 2);
        // Hundreds of fields of view away, on both sides.
        Trajectory far = test::random_trajectory(2000, {20000, 20000, 20000}, 12);
        for (int axis = 0; axis < 3; ++axis) {
            for (double& k : far.k[axis]) {
                k = std::round(256 * k) / 256;  // exact, so that a period more or less changes no bit of the fraction
            }
        }
        expect_the_numbers_of_the_cpu(far, geometry, 1);
    }
}

TEST_F(GpuGridding, NamesTheFirstSampleThatIsNotFinite) {
    const GriddingGeometry geometry = geometry_of({16, 16, 1}, 4);
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1e300}) {
        for (int axis = 0; axis < 3; ++axis) {
            Trajectory trajectory = test::random_trajectory(1000, {8, 8, 1}, 1);
            trajectory.k[axis][999] = bad;
            trajectory.k[axis][321] = bad;
            try {
                gpu().make_gridding(trajectory, geometry, Precision::single);
                FAIL() << "component " << axis << " was taken as " << bad;
            } catch (const InputError& error) {
                const std::string text = error.what();
                EXPECT_NE(std::string::npos, text.find(std::string("component ") + "xyz"[axis] + " of sample 321"))
                    << text;
            }
        }
    }
}

TEST_F(GpuGridding, TakesTheMemoryThatItSays) {
    const Index sample_count = 300000;
    for (const PerAxis<Index>& grid_size : {PerAxis<Index>{4000, 1, 1}, {256, 240, 1}, {96, 96, 90}}) {
        const GriddingGeometry geometry = geometry_of(grid_size, 6);
        const Trajectory trajectory = awkward_trajectory(sample_count, grid_size, 11);
        for (const Precision precision : {Precision::single, Precision::double_}) {
            SCOPED_TRACE(testing::Message() << Shape::image(grid_size).text() << ' ' << name_of(precision));
            gpu().make_gridding(trajectory, geometry, precision);  // loads the code
            gpu().synchronize();
            const std::size_t before = gpu().memory_free_bytes();
            const auto plan = gpu().make_gridding(trajectory, geometry, precision);
            gpu().synchronize();
            const std::size_t taken = before - gpu().memory_free_bytes();
            constexpr std::size_t rounding = 64 << 10;  // of some twenty allocations
            EXPECT_GE(taken, plan->plan_bytes());
            EXPECT_LE(taken, plan->plan_bytes() + rounding);
            for (const Index batch_count : {1, 5}) {
                const GriddingMemory most = cuda_gridding_memory(geometry, sample_count, batch_count, precision);
                EXPECT_LE(plan->plan_bytes(), most.plan_bytes);
                EXPECT_LE(plan->scratch_bytes(batch_count), most.scratch_bytes);
                EXPECT_LE(most.plan_bytes, most.making_bytes);
                EXPECT_GT(plan->scratch_bytes(batch_count), 0U);  // the crowd at the centre is divided
            }
        }
    }
}

TEST_F(GpuGridding, IsTheSameToTheLastBitEveryTimeAndInEveryBatch) {
    for (const PerAxis<Index>& grid_size : {PerAxis<Index>{64, 80, 1}, {48, 40, 36}}) {
        const Index sample_count = 20000;
        const Trajectory trajectory = awkward_trajectory(sample_count, grid_size, 6);
        const GriddingGeometry geometry = geometry_of(grid_size, 6);
        const auto one = test::random_values(sample_count, 7);
        auto both = one;
        both.insert(both.end(), one.begin(), one.end());
        const auto first = spread(gpu(), trajectory, geometry, Precision::single, one);
        const auto again = spread(gpu(), trajectory, geometry, Precision::single, both);
        ASSERT_EQ(2 * first.size(), again.size());
        EXPECT_EQ(0, std::memcmp(first.data(), again.data(), first.size() * sizeof(cdouble)));
        EXPECT_EQ(0, std::memcmp(first.data(), again.data() + first.size(), first.size() * sizeof(cdouble)));

        const auto there = interpolate(gpu(), trajectory, geometry, Precision::single, first);
        const auto there_again = interpolate(gpu(), trajectory, geometry, Precision::single, first);
        EXPECT_EQ(0, std::memcmp(there.data(), there_again.data(), there.size() * sizeof(cdouble)));
    }
}

TEST_F(GpuGridding, KeepsWorkingBesideAPlanOfSmallerTiles) {
    const Trajectory trajectory = awkward_trajectory(2000, {60, 48, 40}, 8);
    const GriddingGeometry large = geometry_of({60, 48, 40}, 12);
    const auto values = test::random_values(2000, 9);
    const auto expected = spread(gpu(), trajectory, large, Precision::single, values);
    const auto plan = gpu().make_gridding(trajectory, large, Precision::single);
    const auto small_plan = gpu().make_gridding(trajectory, geometry_of({6, 4, 3}, 12), Precision::single);
    Array samples(gpu(), Shape::samples(2000), Precision::single);
    Array grid(gpu(), Shape::image(large.grid_size), Precision::single);
    upload(values, samples);
    plan->spread(samples, grid);
    EXPECT_EQ(expected, download<double>(grid));
}

TEST_F(GpuGridding, RefusesWhatDoesNotFit) {
    const GriddingGeometry geometry = geometry_of({16, 16, 1}, 4);
    Trajectory trajectory = test::random_trajectory(10, {8, 8, 1}, 1);
    const auto plan = gpu().make_gridding(trajectory, geometry, Precision::single);
    Array samples(gpu(), Shape::samples(10), Precision::single);
    Array few(gpu(), Shape::samples(9), Precision::single);
    Array fine(gpu(), Shape::samples(10), Precision::double_);
    Array grid(gpu(), Shape::image({16, 16, 1}), Precision::single);
    gpu().fill(0, samples);
    EXPECT_NO_THROW(plan->spread(samples, grid));
    EXPECT_THROW(plan->spread(few, grid), ShapeError);
    EXPECT_THROW(plan->spread(fine, grid), ShapeError);
    EXPECT_THROW(plan->interpolate(grid, few), ShapeError);
    EXPECT_THROW(plan->interpolate(grid, fine), ShapeError);
    trajectory.k[1][3] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(gpu().make_gridding(trajectory, geometry, Precision::single), InputError);
}

}  // namespace
}  // namespace recon
