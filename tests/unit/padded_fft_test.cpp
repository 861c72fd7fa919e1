#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <cstring>
#include <random>

#include "core/cpu/cpu_backend.hpp"
#include "core/error.hpp"

namespace recon {
namespace {

struct PaddedFftCase {
    PerAxis<Index> image;
    PerAxis<Index> grid;
    PerAxis<Index> origin;
    Index batch;
};

void PrintTo(const PaddedFftCase& c, std::ostream* out) {
    *out << c.image[0] << "x" << c.image[1] << "x" << c.image[2] << " in " << c.grid[0] << "x" << c.grid[1] << "x"
         << c.grid[2] << ", batch " << c.batch;
}

class PaddedFft : public ::testing::TestWithParam<PaddedFftCase> {
protected:
    PaddedFft() {
        const PaddedFftCase& c = GetParam();
        geometry_.image = VoxelGrid{Shape::image(c.image), c.origin, {1, 1, 1}};
        geometry_.grid_size = c.grid;
        std::uniform_real_distribution<double> uniform(0.5, 2.0);
        for (int axis = 0; axis < 3; ++axis) {
            for (Index i = 0; i < c.image[axis]; ++i) {
                geometry_.weight[axis].push_back(uniform(random_));
            }
        }
        image_shape_ = Shape::image(c.image).with_axis("batch", c.batch);
        grid_shape_ = Shape::image(c.grid).with_axis("batch", c.batch);
    }

    std::vector<cdouble> random_numbers(Index count) {
        std::normal_distribution<double> normal;
        std::vector<cdouble> numbers(count);
        for (cdouble& value : numbers) {
            value = cdouble(cfloat(static_cast<float>(normal(random_)), static_cast<float>(normal(random_))));
        }
        return numbers;
    }

    /// grid[g] = sum_i weight[i] image[i] exp(-i 2 pi g.(i - origin) / G), one axis after the other, in double.
    std::vector<cdouble> direct_forward(std::vector<cdouble> image) const {
        PerAxis<Index> extent = GetParam().image;
        for (int axis = 0; axis < 3; ++axis) {
            const Index n = extent[axis], g = GetParam().grid[axis];
            Index inner = 1, outer = GetParam().batch;
            for (int other = 0; other < 3; ++other) {
                (other < axis ? inner : outer) *= other == axis ? 1 : extent[other];
            }
            std::vector<cdouble> next(inner * g * outer);
            for (Index o = 0; o < outer; ++o) {
                for (Index k = 0; k < g; ++k) {
                    for (Index i = 0; i < n; ++i) {
                        const Index turns = (k * (i - GetParam().origin[axis])) % g;
                        const cdouble factor =
                            geometry_.weight[axis][i] *
                            std::polar(1.0, -2 * pi * static_cast<double>(turns) / static_cast<double>(g));
                        for (Index j = 0; j < inner; ++j) {
                            next[(o * g + k) * inner + j] += factor * image[(o * n + i) * inner + j];
                        }
                    }
                }
            }
            image = std::move(next);
            extent[axis] = g;
        }
        return image;
    }

    std::vector<cdouble> run_forward(const std::vector<cdouble>& image, Precision precision) {
        const auto plan = backend_->make_padded_fft(geometry_, precision);
        Array in(*backend_, image_shape_, precision), out(*backend_, grid_shape_, precision);
        upload(image, in);
        backend_->fill({NAN, NAN}, out);  // what was in the grid before must not matter
        plan->forward(in, out);
        return download<double>(out);
    }

    std::vector<cdouble> run_adjoint(const std::vector<cdouble>& grid, Precision precision) {
        const auto plan = backend_->make_padded_fft(geometry_, precision);
        Array in(*backend_, grid_shape_, precision), out(*backend_, image_shape_, precision);
        upload(grid, in);
        backend_->fill({NAN, NAN}, out);
        plan->adjoint(in, out);
        return download<double>(out);
    }

    static double norm_of(const std::vector<cdouble>& x) {
        double sum = 0;
        for (const cdouble& value : x) {
            sum += std::norm(value);
        }
        return std::sqrt(sum);
    }
    static double relative_error(std::vector<cdouble> x, const std::vector<cdouble>& reference) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] -= reference[i];
        }
        return norm_of(x) / norm_of(reference);
    }

    std::mt19937_64 random_{7};
    PaddedFftGeometry geometry_;
    Shape image_shape_, grid_shape_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend(2);
};

// A few roundings an axis: 6e-8 each in single, 1.1e-16 in double precision, growing with log2 of the length.
constexpr double single_tolerance = 5e-7;
constexpr double double_tolerance = 1e-14;

TEST_P(PaddedFft, ForwardAgreesWithTheDirectSum) {
    const auto image = random_numbers(image_shape_.element_count());
    const auto expected = direct_forward(image);
    EXPECT_LT(relative_error(run_forward(image, Precision::single), expected), single_tolerance);
    EXPECT_LT(relative_error(run_forward(image, Precision::double_), expected), double_tolerance);
}

TEST_P(PaddedFft, AdjointPassesTheDotTest) {
    const auto image = random_numbers(image_shape_.element_count());
    const auto grid = random_numbers(grid_shape_.element_count());
    for (const Precision precision : {Precision::single, Precision::double_}) {
        const auto forward = run_forward(image, precision);
        const auto adjoint = run_adjoint(grid, precision);
        cdouble left = 0, right = 0;
        for (std::size_t i = 0; i < grid.size(); ++i) {
            left += std::conj(grid[i]) * forward[i];
        }
        for (std::size_t i = 0; i < image.size(); ++i) {
            right += std::conj(adjoint[i]) * image[i];
        }
        // relative to |A x| |y|, of which the product is a random fraction
        EXPECT_LT(std::abs(left - right) / (norm_of(forward) * norm_of(grid)),
                  precision == Precision::single ? single_tolerance : double_tolerance);
    }
}

TEST_P(PaddedFft, IsTheSameToTheLastBitForAnyNumberOfThreads) {
    const auto image = random_numbers(image_shape_.element_count());
    std::vector<std::vector<cdouble>> results;
    for (const int threads : {1, 3}) {
        omp_set_num_threads(threads);
        results.push_back(run_forward(image, Precision::single));
    }
    for (const auto& result : results) {
        EXPECT_EQ(0, std::memcmp(result.data(), results[0].data(), result.size() * sizeof(cdouble)));
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PaddedFft,
                         ::testing::Values(PaddedFftCase{{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 1},
                                           PaddedFftCase{{1, 1, 1}, {5, 4, 3}, {0, 0, 0}, 2},
                                           PaddedFftCase{{7, 1, 1}, {15, 1, 1}, {3, 0, 0}, 3},
                                           PaddedFftCase{{1, 6, 1}, {1, 12, 1}, {0, 3, 0}, 1},
                                           PaddedFftCase{{1, 5, 9}, {1, 10, 18}, {0, 2, 4}, 2},
                                           PaddedFftCase{{6, 1, 9}, {6, 1, 20}, {3, 0, 4}, 2},
                                           PaddedFftCase{{20, 21, 1}, {40, 45, 1}, {10, 10, 0}, 4},
                                           PaddedFftCase{{33, 17, 5}, {64, 36, 10}, {16, 8, 2}, 1},
                                           PaddedFftCase{{8, 16, 32}, {8, 16, 32}, {0, 0, 0}, 1},
                                           PaddedFftCase{{13, 11, 3}, {20, 15, 6}, {12, 10, 2}, 2},
                                           PaddedFftCase{{19, 18, 17}, {24, 24, 24}, {40, -3, 8}, 1},
                                           PaddedFftCase{{48, 40, 20}, {60, 50, 25}, {24, 20, 10}, 1}));

TEST(PaddedFftPlan, RefusesWhatDoesNotFit) {
    const auto backend = make_cpu_backend(1);
    PaddedFftGeometry geometry{VoxelGrid::image({4, 4, 1}), {8, 8, 1}, {}};
    geometry.weight = {std::vector<double>(4, 1.0), std::vector<double>(4, 1.0), std::vector<double>(1, 1.0)};
    EXPECT_NO_THROW(backend->make_padded_fft(geometry, Precision::single));
    PaddedFftGeometry small = geometry, rough = geometry, weights = geometry;
    small.grid_size = {3, 8, 1};
    rough.grid_size = {7, 8, 1};
    weights.weight[1].pop_back();
    EXPECT_THROW(backend->make_padded_fft(small, Precision::single), ShapeError);
    EXPECT_THROW(backend->make_padded_fft(rough, Precision::single), ShapeError);
    EXPECT_THROW(backend->make_padded_fft(weights, Precision::single), ShapeError);

    const auto plan = backend->make_padded_fft(geometry, Precision::single);
    Array image(*backend, Shape::image({4, 4, 1}), Precision::single);
    Array grid(*backend, Shape::image({8, 8, 1}), Precision::single);
    Array other(*backend, Shape::image({8, 4, 1}), Precision::single);
    Array fine(*backend, Shape::image({8, 8, 1}), Precision::double_);
    EXPECT_NO_THROW(plan->forward(image, grid));
    EXPECT_THROW(plan->forward(image, other), ShapeError);
    EXPECT_THROW(plan->forward(image, fine), ShapeError);
    EXPECT_THROW(plan->adjoint(other, image), ShapeError);
}

}  // namespace
}  // namespace recon
