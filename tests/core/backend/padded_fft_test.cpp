#include <omp.h>

#include <cmath>
#include <cstring>

#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

struct PaddedFftCase {
    PerAxis<Index> image;
    PerAxis<Index> grid;
    PerAxis<Index> origin;
    Index batch;
};

void PrintTo(const PaddedFftCase& c, std::ostream* out) {
    *out << Shape::image(c.image).text() << " in " << Shape::image(c.grid).text() << ", batch " << c.batch;
}

PaddedFftGeometry geometry_of(const PaddedFftCase& c) {
    PaddedFftGeometry geometry{VoxelGrid{Shape::image(c.image), c.origin, {1, 1, 1}}, c.grid, {}};
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0.5, 2.0);
    for (int axis = 0; axis < 3; ++axis) {
        geometry.weight[axis].resize(c.image[axis]);
        for (double& weight : geometry.weight[axis]) {
            weight = uniform(random);
        }
    }
    return geometry;
}

/// grid[g] = sum_i weight[i] image[i] exp(-i 2 pi g.(i - origin) / G), one axis after the other, in double.
std::vector<cdouble> direct_forward(const PaddedFftCase& c, std::vector<cdouble> image) {
    const PaddedFftGeometry geometry = geometry_of(c);
    PerAxis<Index> extent = c.image;
    for (int axis = 0; axis < 3; ++axis) {
        const Index n = extent[axis];
        const Index g = c.grid[axis];
        Index inner = 1;
        Index outer = c.batch;
        for (int other = 0; other < 3; ++other) {
            (other < axis ? inner : outer) *= other == axis ? 1 : extent[other];
        }
        std::vector<cdouble> root(g);
        for (Index k = 0; k < g; ++k) {
            root[k] = std::polar(1.0, -2 * pi * static_cast<double>(k) / static_cast<double>(g));
        }
        std::vector<cdouble> next(inner * g * outer);
        for (Index o = 0; o < outer; ++o) {
            for (Index k = 0; k < g; ++k) {
                for (Index i = 0; i < n; ++i) {
                    const Index turns = ((k * (i - c.origin[axis])) % g + g) % g;
                    const cdouble factor = geometry.weight[axis][i] * root[turns];
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

cdouble inner_product(const std::vector<cdouble>& x, const std::vector<cdouble>& y) {
    cdouble sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += std::conj(x[i]) * y[i];
    }
    return sum;
}
double norm_of(const std::vector<cdouble>& x) { return std::sqrt(inner_product(x, x).real()); }

class PaddedFft : public ::testing::TestWithParam<std::tuple<test::BackendFactory, PaddedFftCase>> {
protected:
    const PaddedFftCase& the_case() const { return std::get<1>(GetParam()); }

    std::vector<cdouble> forward(Precision precision) {
        const auto plan = backend_->make_padded_fft(geometry_of(the_case()), precision);
        Array in(*backend_, image_shape_, precision);
        Array out(*backend_, grid_shape_, precision);
        upload(image_, in);
        backend_->fill({NAN, NAN}, out);  // what was in the grid before must not matter
        plan->forward(in, out);
        return download<double>(out);
    }
    std::vector<cdouble> adjoint(Precision precision) {
        const auto plan = backend_->make_padded_fft(geometry_of(the_case()), precision);
        Array in(*backend_, grid_shape_, precision);
        Array out(*backend_, image_shape_, precision);
        upload(grid_, in);
        backend_->fill({NAN, NAN}, out);
        plan->adjoint(in, out);
        return download<double>(out);
    }

    /// Numbers that single precision holds exactly.
    static std::vector<cdouble> rounded(std::vector<cdouble> values) {
        for (cdouble& value : values) {
            value = cdouble(cfloat(value));
        }
        return values;
    }

    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
    Shape image_shape_ = Shape::image(the_case().image).with_axis("batch", the_case().batch);
    Shape grid_shape_ = Shape::image(the_case().grid).with_axis("batch", the_case().batch);
    std::vector<cdouble> image_ = rounded(test::random_values(image_shape_.element_count(), 1));
    std::vector<cdouble> grid_ = rounded(test::random_values(grid_shape_.element_count(), 2));
};

// A few roundings an axis: 6e-8 each in single, 1.1e-16 in double precision, growing with log2 of the length.
double rounding_of(Precision precision) { return precision == Precision::single ? 6e-7 : 2e-15; }

TEST_P(PaddedFft, ForwardAgreesWithTheDirectSum) {
    const std::vector<cdouble> expected = direct_forward(the_case(), image_);
    for (const Precision precision : {Precision::single, Precision::double_}) {
        EXPECT_LT(test::relative_difference(forward(precision), expected), rounding_of(precision));
    }
}

TEST_P(PaddedFft, AdjointPassesTheDotTest) {
    for (const Precision precision : {Precision::single, Precision::double_}) {
        const std::vector<cdouble> there = forward(precision);
        const std::vector<cdouble> back = adjoint(precision);
        // relative to |A x| |y|, of which the product is a random fraction
        EXPECT_LT(
            std::abs(inner_product(grid_, there) - inner_product(back, image_)) / (norm_of(there) * norm_of(grid_)),
            rounding_of(precision));
    }
}

TEST_P(PaddedFft, IsTheSameToTheLastBitEveryTimeWithAnyNumberOfThreads) {
    const int usual = omp_get_max_threads();
    omp_set_num_threads(1);
    const std::vector<cdouble> first = forward(Precision::single);
    omp_set_num_threads(3);
    const std::vector<cdouble> second = forward(Precision::single);
    omp_set_num_threads(usual);
    EXPECT_EQ(0, std::memcmp(first.data(), second.data(), first.size() * sizeof(cdouble)));
}

INSTANTIATE_TEST_SUITE_P(Sizes, PaddedFft,
                         ::testing::Combine(test::every_backend(),
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
                                                              PaddedFftCase{
                                                                  {48, 40, 20}, {60, 50, 25}, {24, 20, 10}, 1})),
                         [](const auto& info) { return std::get<0>(info.param).name + std::to_string(info.index); });

/// Every radix, every number of passes, and lengths too long for shared memory: along rows and along columns.
PaddedFftCase row_case(Index length, Index image) { return {{image, 3, 1}, {length, 4, 1}, {image / 2, 1, 0}, 2}; }
PaddedFftCase column_case(Index length, Index image) { return {{5, image, 2}, {9, length, 3}, {2, 0, 1}, 1}; }

std::vector<PaddedFftCase> long_cases() {
    std::vector<PaddedFftCase> cases;
    for (const Index length :
         {2,   3,   4,   5,   6,   8,   9,   10,  16,  18,  27,  32,  45,  64,   81,   90,   100, 125,
          128, 144, 160, 250, 256, 300, 320, 384, 400, 450, 512, 640, 750, 1024, 1350, 2048, 3125}) {
        cases.push_back(row_case(length, (length + 1) / 2));
        cases.push_back(column_case(length, length / 2));
        cases.push_back(column_case(length, length / 2 + 1));
    }
    cases.push_back(row_case(40000, 11));
    cases.push_back(column_case(8192, 7));
    return cases;
}

INSTANTIATE_TEST_SUITE_P(Lengths, PaddedFft,
                         ::testing::Combine(test::every_backend(), ::testing::ValuesIn(long_cases())),
                         [](const auto& info) { return std::get<0>(info.param).name + std::to_string(info.index); });

using PaddedFftPlanOf = test::EveryBackend;

TEST_P(PaddedFftPlanOf, RefusesWhatDoesNotFit) {
    PaddedFftGeometry geometry{VoxelGrid::image({4, 4, 1}), {8, 8, 1}, {}};
    geometry.weight = {std::vector<double>(4, 1.0), std::vector<double>(4, 1.0), std::vector<double>(1, 1.0)};
    EXPECT_NO_THROW(backend_->make_padded_fft(geometry, Precision::single));
    PaddedFftGeometry small = geometry;
    PaddedFftGeometry rough = geometry;
    PaddedFftGeometry weights = geometry;
    small.grid_size = {3, 8, 1};
    rough.grid_size = {7, 8, 1};
    weights.weight[1].pop_back();
    EXPECT_THROW(backend_->make_padded_fft(small, Precision::single), ShapeError);
    EXPECT_THROW(backend_->make_padded_fft(rough, Precision::single), ShapeError);
    EXPECT_THROW(backend_->make_padded_fft(weights, Precision::single), ShapeError);

    const auto plan = backend_->make_padded_fft(geometry, Precision::single);
    Array image(*backend_, Shape::image({4, 4, 1}), Precision::single);
    Array grid(*backend_, Shape::image({8, 8, 1}), Precision::single);
    Array other(*backend_, Shape::image({8, 4, 1}), Precision::single);
    Array fine(*backend_, Shape::image({8, 8, 1}), Precision::double_);
    backend_->fill(0, image);
    EXPECT_NO_THROW(plan->forward(image, grid));
    EXPECT_THROW(plan->forward(image, other), ShapeError);
    EXPECT_THROW(plan->forward(image, fine), ShapeError);
    EXPECT_THROW(plan->adjoint(other, image), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(, PaddedFftPlanOf, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
