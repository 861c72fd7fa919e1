#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon::test {
namespace {

/// Sizes with one, two and three axes, wide and narrower than the kernel (its width is 6 here).
const std::vector<PerAxis<Index>> grid_sizes{{1, 1, 1},    {2, 1, 1},  {5, 1, 1}, {3000, 1, 1}, {1, 40, 1},  {1, 1, 9},
                                             {81, 125, 1}, {64, 1, 6}, {4, 3, 2}, {20, 24, 18}, {50, 45, 32}};

GriddingGeometry geometry_of(PerAxis<Index> grid_size, int width = 6) {
    GriddingGeometry geometry{grid_size, {}, GriddingKernel::of_width(width, 2)};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.grid_steps[axis] = 2;
    }
    return geometry;
}

/// Half of the samples anywhere, beyond the grid too; some at its edges and on grid points; many at the centre.
Trajectory awkward_trajectory(Index sample_count, PerAxis<Index> grid_size, unsigned seed) {
    Trajectory trajectory = random_trajectory(sample_count, grid_size, seed);
    for (Index m = 0; m < sample_count; ++m) {
        for (int axis = 0; axis < 3; ++axis) {
            double& k = trajectory.k[axis][m];
            const double edge = 0.25 * static_cast<double>(grid_size[axis]);
            switch (m % 8) {
                case 0: k = edge; break;
                case 1: k = -edge; break;
                case 2: k = std::round(k); break;
                case 3: k = std::round(k) + 0.25; break;  // between two grid points
                case 4: k *= 1e-3; break;
                case 5: k = 0; break;
                default: break;
            }
        }
    }
    return trajectory;
}

/// The definition of spreading, at every grid point, in double.
std::vector<cdouble> spread_by_definition(const Trajectory& trajectory, const GriddingGeometry& geometry,
                                          const std::vector<cdouble>& samples) {
    const auto [gx, gy, gz] = geometry.grid_size;
    std::vector<cdouble> grid(gx * gy * gz);
    for (std::size_t m = 0; m < samples.size(); ++m) {
        PerAxis<std::vector<double>> weight;
        for (int axis = 0; axis < 3; ++axis) {
            const Index size = geometry.grid_size[axis];
            weight[axis].assign(size, size == 1 ? 1.0 : 0.0);
            const double g = trajectory.k[axis][m] * geometry.grid_steps[axis];
            const double half_width = 0.5 * geometry.kernel.width;
            for (auto i = static_cast<Index>(std::ceil(g - half_width)); size > 1 && i < g + half_width; ++i) {
                weight[axis][((i % size) + size) % size] += geometry.kernel.value(static_cast<double>(i) - g);
            }
        }
        for (Index z = 0; z < gz; ++z) {
            for (Index y = 0; y < gy; ++y) {
                for (Index x = 0; x < gx; ++x) {
                    grid[x + gx * (y + gy * z)] += weight[0][x] * weight[1][y] * weight[2][z] * samples[m];
                }
            }
        }
    }
    return grid;
}

class Gridding : public EveryBackend {
protected:
    std::vector<cdouble> spread(const Trajectory& trajectory, const GriddingGeometry& geometry, Precision precision,
                                const std::vector<cdouble>& samples) {
        const Index batch_count = static_cast<Index>(samples.size()) / trajectory.sample_count();
        Array in(*backend_, Shape::samples(trajectory.sample_count()).with_axis("batch", batch_count), precision);
        Array out(*backend_, Shape::image(geometry.grid_size).with_axis("batch", batch_count), precision);
        backend_->fill(std::numeric_limits<double>::quiet_NaN(), out);  // must be overwritten
        upload(samples, in);
        backend_->make_gridding(trajectory, geometry, precision)->spread(in, out);
        return download<double>(out);
    }

    std::vector<cdouble> interpolate(const Trajectory& trajectory, const GriddingGeometry& geometry,
                                     Precision precision, const std::vector<cdouble>& grid) {
        const Shape shape = Shape::image(geometry.grid_size);
        const Index batch_count = static_cast<Index>(grid.size()) / shape.element_count();
        Array in(*backend_, shape.with_axis("batch", batch_count), precision);
        Array out(*backend_, Shape::samples(trajectory.sample_count()).with_axis("batch", batch_count), precision);
        backend_->fill(std::numeric_limits<double>::quiet_NaN(), out);
        upload(grid, in);
        backend_->make_gridding(trajectory, geometry, precision)->interpolate(in, out);
        return download<double>(out);
    }
};

TEST_P(Gridding, SpreadsByTheDefinition) {
    for (const auto& grid_size : grid_sizes) {
        SCOPED_TRACE(Shape::image(grid_size).text());
        const Trajectory trajectory = awkward_trajectory(200, grid_size, 1);
        const std::vector<cdouble> samples = random_values(200, 2);
        const GriddingGeometry geometry = geometry_of(grid_size);
        const std::vector<cdouble> expected = spread_by_definition(trajectory, geometry, samples);
        // The polynomials are fitted to 3e-7 of the peak for this kernel; three axes, and the sum of their errors.
        constexpr double fit_error = 3e-6;
        EXPECT_LT(relative_difference(spread(trajectory, geometry, Precision::double_, samples), expected), fit_error);
        EXPECT_LT(relative_difference(spread(trajectory, geometry, Precision::single, samples), expected), fit_error);
    }
}

TEST_P(Gridding, SpreadsByTheDefinitionWithEveryWidth) {
    for (int width = GriddingKernel::min_width; width <= GriddingKernel::max_width; ++width) {
        for (const PerAxis<Index>& grid_size : {PerAxis<Index>{50, 1, 1}, {36, 1, 30}, {20, 18, 24}}) {
            SCOPED_TRACE(testing::Message() << "width " << width << ", " << Shape::image(grid_size).text());
            const Trajectory trajectory = awkward_trajectory(60, grid_size, 3);
            const std::vector<cdouble> samples = random_values(60, 4);
            const GriddingGeometry geometry = geometry_of(grid_size, width);
            const std::vector<cdouble> expected = spread_by_definition(trajectory, geometry, samples);
            // A fit in each of three axes, each a tenth of the aliasing that the kernel has anyway; and rounding.
            const double fit_error = 3 * geometry.kernel.mean_aliasing();
            EXPECT_LT(relative_difference(spread(trajectory, geometry, Precision::double_, samples), expected),
                      fit_error + 1e-13);
            EXPECT_LT(relative_difference(spread(trajectory, geometry, Precision::single, samples), expected),
                      fit_error + 1e-6);
        }
    }
}

TEST_P(Gridding, InterpolationIsTheTransposeOfSpreading) {
    for (const auto& grid_size : grid_sizes) {
        SCOPED_TRACE(Shape::image(grid_size).text());
        const Index sample_count = 5000;
        const Trajectory trajectory = awkward_trajectory(sample_count, grid_size, 5);
        const GriddingGeometry geometry = geometry_of(grid_size);
        const std::vector<cdouble> x = random_values(sample_count, 6);
        const std::vector<cdouble> y = random_values(Shape::image(grid_size).element_count(), 7);
        for (const Precision precision : {Precision::single, Precision::double_}) {
            const std::vector<cdouble> spread_x = spread(trajectory, geometry, precision, x);
            const std::vector<cdouble> interpolated_y = interpolate(trajectory, geometry, precision, y);
            cdouble difference = 0;
            double norm_x = 0;
            for (std::size_t i = 0; i < y.size(); ++i) {
                difference += spread_x[i] * y[i];
            }
            double norm_interpolated = 0;
            for (std::size_t m = 0; m < x.size(); ++m) {
                difference -= x[m] * interpolated_y[m];
                norm_x += std::norm(x[m]);
                norm_interpolated += std::norm(interpolated_y[m]);
            }
            // A few roundings in each of both sums.
            const double rounding = precision == Precision::single ? 1e-5 : 1e-14;
            EXPECT_LT(std::abs(difference), rounding * std::sqrt(norm_interpolated * norm_x));
        }
    }
}

TEST_P(Gridding, SameBytesForAnyNumberOfThreadsAndAnyBatch) {
    const PerAxis<Index> grid_size{50, 45, 32};
    const GriddingGeometry geometry = geometry_of(grid_size);
    const Index sample_count = 40000;  // an eighth of them at the centre, so tiles have several parts
    const Trajectory trajectory = awkward_trajectory(sample_count, grid_size, 8);
    const std::vector<cdouble> samples = random_values(3 * sample_count, 9);
    const int threads_before = omp_get_max_threads();
    omp_set_num_threads(1);
    const std::vector<cdouble> grid = spread(trajectory, geometry, Precision::single, samples);
    const std::vector<cdouble> back = interpolate(trajectory, geometry, Precision::single, grid);
    for (const int thread_count : {2, 5}) {
        omp_set_num_threads(thread_count);
        EXPECT_EQ(spread(trajectory, geometry, Precision::single, samples), grid);
        EXPECT_EQ(interpolate(trajectory, geometry, Precision::single, grid), back);
    }
    omp_set_num_threads(threads_before);
    const std::vector<cdouble> second(samples.begin() + sample_count, samples.begin() + 2 * sample_count);
    const std::vector<cdouble> alone = spread(trajectory, geometry, Precision::single, second);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), grid.begin() + alone.size()));
}

TEST_P(Gridding, OneSampleAndZeros) {
    const GriddingGeometry geometry = geometry_of({20, 24, 18});
    const Trajectory one{{{{0.3}, {-4.7}, {2.0}}}};
    const std::vector<cdouble> grid = spread(one, geometry, Precision::single, {{1, -2}});
    EXPECT_LT(relative_difference(grid, spread_by_definition(one, geometry, {{1, -2}})), 3e-6);
    const std::vector<cdouble> zeros = spread(one, geometry, Precision::single, {0.0, 0.0});
    EXPECT_EQ(zeros, std::vector<cdouble>(2 * 20 * 24 * 18));
}

TEST_P(Gridding, CoordinatesThatAreNotFiniteAreErrors) {
    const GriddingGeometry geometry = geometry_of({20, 24, 18});
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e300}) {
        const Trajectory trajectory{{{{0.0, 1.0}, {0.0, bad}, {0.0, 1.0}}}};
        expect_error<InputError>([&] { backend_->make_gridding(trajectory, geometry, Precision::single); },
                                 {"component y", "sample 1"});
    }
}

TEST_P(Gridding, OperandsOfAnotherSizeAreErrors) {
    const GriddingGeometry geometry = geometry_of({8, 8, 1});
    const Trajectory one{{{{0.0}, {0.0}, {0.0}}}};
    const auto plan = backend_->make_gridding(one, geometry, Precision::single);
    Array samples(*backend_, Shape::samples(2).with_axis("batch", 1), Precision::single);
    Array grid(*backend_, Shape::image({8, 8, 1}).with_axis("batch", 1), Precision::single);
    EXPECT_THROW(plan->spread(samples, grid), ShapeError);
    EXPECT_THROW(plan->interpolate(grid, samples), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, Gridding, every_backend(), backend_name);

}  // namespace
}  // namespace recon::test
