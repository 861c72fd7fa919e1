#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/base/error.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"
#include "tests/support/thread_count.hpp"

namespace recon {
namespace {

struct CirculantCase {
    PerAxis<Index> image;
    PerAxis<Index> grid;
    Index coil_count;  ///< 0: no maps
};

void PrintTo(const CirculantCase& c, std::ostream* out) {
    *out << c.image[0] << "x" << c.image[1] << "x" << c.image[2] << " on " << c.grid[0] << "x" << c.grid[1] << "x"
         << c.grid[2] << ", " << c.coil_count << " coils";
}

/// Along one axis: x -> sum_i x[i] exp(sign i 2 pi i k / G), k < `to`, of `from` numbers.
std::vector<cdouble> transform_axis(const std::vector<cdouble>& x, PerAxis<Index> extents, int axis, Index to,
                                    Index period, double sign) {
    const Index from = extents[axis];
    Index below = 1;
    for (int a = 0; a < axis; ++a) {
        below *= extents[a];
    }
    const Index above = std::ssize(x) / (below * from);
    std::vector<cdouble> result(static_cast<std::size_t>(below * to * above));
    for (Index outer = 0; outer < above; ++outer) {
        for (Index k = 0; k < to; ++k) {
            for (Index i = 0; i < from; ++i) {
                const cdouble wave =
                    std::polar(1.0, sign * 2 * pi * static_cast<double>(i * k % period) / static_cast<double>(period));
                for (Index inner = 0; inner < below; ++inner) {
                    result[static_cast<std::size_t>(inner + below * (k + to * outer))] +=
                        wave * x[static_cast<std::size_t>(inner + below * (i + from * outer))];
                }
            }
        }
    }
    return result;
}

/// crop F^-1 (h F pad x), term by term.
std::vector<cdouble> filtered(std::vector<cdouble> x, const CirculantCase& c, const std::vector<double>& h) {
    PerAxis<Index> extents = c.image;
    for (int axis = 0; axis < 3; ++axis) {
        x = transform_axis(x, extents, axis, c.grid[axis], c.grid[axis], -1);
        extents[axis] = c.grid[axis];
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] *= h[i] / static_cast<double>(h.size());
    }
    for (int axis = 0; axis < 3; ++axis) {
        x = transform_axis(x, extents, axis, c.image[axis], c.grid[axis], 1);
        extents[axis] = c.image[axis];
    }
    return x;
}

class Circulant : public ::testing::TestWithParam<std::tuple<test::BackendFactory, CirculantCase>> {
protected:
    const CirculantCase& the_case() const { return std::get<1>(GetParam()); }

    std::vector<cdouble> random_numbers(Index count, bool real = false) {
        std::normal_distribution<double> normal;
        std::vector<cdouble> numbers(static_cast<std::size_t>(count));
        for (cdouble& value :
             numbers) {  // single-precision numbers, so that both precisions compute with the same ones
            value =
                cdouble(cfloat(static_cast<float>(normal(random_)), real ? 0 : static_cast<float>(normal(random_))));
        }
        return numbers;
    }

    std::vector<cdouble> run(Precision precision) {
        Array factors(*backend_, Shape::image(the_case().grid), precision);
        upload(h_, factors);
        const auto plan = backend_->make_circulant(shape_, factors, precision);
        Array in(*backend_, shape_, precision), out(*backend_, shape_, precision);
        upload(image_, in);
        backend_->fill({NAN, NAN}, out);
        if (maps_.empty()) {
            plan->apply(in, std::nullopt, out);
        } else {
            Array maps(*backend_, shape_.with_axis("coil", the_case().coil_count), precision);
            upload(maps_, maps);
            plan->apply(in, maps.view(), out);
        }
        return download<double>(out);
    }

    std::vector<cdouble> expected() const {
        std::vector<double> h;
        for (const cdouble& factor : h_) {
            h.push_back(factor.real());
        }
        if (maps_.empty()) {
            return filtered(image_, the_case(), h);
        }
        std::vector<cdouble> result(image_.size());
        for (std::size_t first = 0; first < maps_.size(); first += image_.size()) {
            std::vector<cdouble> coil_image(image_);
            for (std::size_t i = 0; i < image_.size(); ++i) {
                coil_image[i] *= maps_[first + i];
            }
            coil_image = filtered(coil_image, the_case(), h);
            for (std::size_t i = 0; i < image_.size(); ++i) {
                result[i] += std::conj(maps_[first + i]) * coil_image[i];
            }
        }
        return result;
    }

    std::mt19937_64 random_{5};
    Shape shape_ = Shape::image(the_case().image);
    std::vector<cdouble> image_ = random_numbers(shape_.element_count());
    std::vector<cdouble> maps_ = random_numbers(shape_.element_count() * the_case().coil_count);
    std::vector<cdouble> h_ = random_numbers(Shape::image(the_case().grid).element_count(), true);
    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
};

/// Six FFT axes and their products, of a few roundings each, 1e-16 and 6e-8.
TEST_P(Circulant, MultipliesTheFrequenciesOfItsGrid) {
    EXPECT_LT(test::relative_difference(run(Precision::double_), expected()), 1e-13);
    EXPECT_LT(test::relative_difference(run(Precision::single), expected()), 1e-6);
}

TEST_P(Circulant, IsTheSameToTheLastBitWithAnyNumberOfThreads) {
    std::vector<cdouble> of_one;
    {
        const test::ThreadCount one{1};
        of_one = run(Precision::single);
    }
    const test::ThreadCount three{3};
    EXPECT_EQ(run(Precision::single), of_one);
}

INSTANTIATE_TEST_SUITE_P(, Circulant,
                         ::testing::Combine(test::every_backend(),
                                            ::testing::Values(CirculantCase{{1, 1, 1}, {1, 1, 1}, 0},
                                                              CirculantCase{{7, 1, 1}, {8, 1, 1}, 0},
                                                              CirculantCase{{1, 50, 1}, {1, 50, 1}, 2},
                                                              CirculantCase{{6, 1, 9}, {6, 1, 10}, 0},
                                                              CirculantCase{{1, 17, 30}, {1, 20, 30}, 1},
                                                              CirculantCase{{33, 20, 1}, {36, 50, 1}, 2},
                                                              CirculantCase{{4, 4, 4}, {4, 4, 4}, 0},
                                                              CirculantCase{{19, 3, 5}, {20, 3, 12}, 1},
                                                              CirculantCase{{16, 8, 12}, {16, 8, 12}, 3})),
                         [](const auto& info) { return std::get<0>(info.param).name + std::to_string(info.index); });

using CirculantPlanOf = test::EveryBackend;

TEST_P(CirculantPlanOf, RefusesGridsThatDoNotHoldTheImage) {
    const Shape image = Shape::image({4, 3, 1});
    for (const PerAxis<Index> grid : {PerAxis<Index>{3, 3, 1}, PerAxis<Index>{4, 3, 2}, PerAxis<Index>{7, 3, 1}}) {
        Array factors(*backend_, Shape::image(grid), Precision::single);
        backend_->fill(1, factors);
        EXPECT_THROW(backend_->make_circulant(image, factors, Precision::single), ShapeError) << grid[0];
    }
}

INSTANTIATE_TEST_SUITE_P(, CirculantPlanOf, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
