#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/base/error.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

struct ToeplitzCase {
    PerAxis<Index> matrix_size;
    Index coil_count;  ///< 0: no maps
};

void PrintTo(const ToeplitzCase& c, std::ostream* out) {
    *out << c.matrix_size[0] << "x" << c.matrix_size[1] << "x" << c.matrix_size[2] << ", " << c.coil_count << " coils";
}

/// A random trajectory with weights, and the sums over it in double, term by term.
class DirectNormal {
public:
    DirectNormal(PerAxis<Index> n, Index sample_count, std::mt19937_64& random) : n_(n) {
        std::uniform_real_distribution<double> uniform(-0.5, 0.5);
        for (Index m = 0; m < sample_count; ++m) {
            k_.push_back({uniform(random) * static_cast<double>(n[0]), uniform(random) * static_cast<double>(n[1]),
                          uniform(random) * static_cast<double>(n[2])});
            weight_.push_back(uniform(random) + 1);
        }
    }

    /// Q on the differences of voxels.
    std::vector<cdouble> q() const {
        const VoxelGrid grid = VoxelGrid::differences(n_);
        std::vector<cdouble> values(grid.shape.element_count());
        for (std::size_t m = 0; m < k_.size(); ++m) {
            std::size_t at = 0;
            for_each_position(grid, [&](double x, double y, double z) {
                values[at++] += std::polar(weight_[m], 2 * pi * (k_[m][0] * x + k_[m][1] * y + k_[m][2] * z));
            });
        }
        return values;
    }

    /// F^H W F rho, one sample after the other.
    std::vector<cdouble> apply(const std::vector<cdouble>& image) const {
        const VoxelGrid grid = VoxelGrid::image(n_);
        std::vector<cdouble> result(image.size());
        std::vector<cdouble> phase(image.size());
        for (std::size_t m = 0; m < k_.size(); ++m) {
            std::size_t at = 0;
            cdouble sample = 0;
            for_each_position(grid, [&](double x, double y, double z) {
                phase[at] = std::polar(1.0, -2 * pi * (k_[m][0] * x + k_[m][1] * y + k_[m][2] * z));
                sample += image[at] * phase[at];
                ++at;
            });
            for (std::size_t i = 0; i < result.size(); ++i) {
                result[i] += weight_[m] * sample * std::conj(phase[i]);
            }
        }
        return result;
    }

    std::vector<cdouble> apply(const std::vector<cdouble>& image, const std::vector<cdouble>& coil_maps) const {
        if (coil_maps.empty()) {
            return apply(image);
        }
        std::vector<cdouble> result(image.size());
        for (std::size_t first = 0; first < coil_maps.size(); first += image.size()) {
            std::vector<cdouble> coil_image(image.size());
            for (std::size_t i = 0; i < image.size(); ++i) {
                coil_image[i] = coil_maps[first + i] * image[i];
            }
            coil_image = apply(coil_image);
            for (std::size_t i = 0; i < image.size(); ++i) {
                result[i] += std::conj(coil_maps[first + i]) * coil_image[i];
            }
        }
        return result;
    }

private:
    template <class Function>
    static void for_each_position(const VoxelGrid& grid, const Function& function) {
        for (Index z = 0; z < grid.shape.extent(2); ++z) {
            for (Index y = 0; y < grid.shape.extent(1); ++y) {
                for (Index x = 0; x < grid.shape.extent(0); ++x) {
                    function(grid.position(0, x), grid.position(1, y), grid.position(2, z));
                }
            }
        }
    }

    PerAxis<Index> n_;
    std::vector<PerAxis<double>> k_;
    std::vector<double> weight_;
};

class Toeplitz : public ::testing::TestWithParam<std::tuple<test::BackendFactory, ToeplitzCase>> {
protected:
    const ToeplitzCase& the_case() const { return std::get<1>(GetParam()); }

    std::vector<cdouble> random_numbers(Index count) {
        std::normal_distribution<double> normal;
        std::vector<cdouble> numbers(count);
        for (cdouble& value : numbers) {
            // single-precision numbers, so that both precisions compute with the same ones
            value = cdouble(cfloat(static_cast<float>(normal(random_)), static_cast<float>(normal(random_))));
        }
        return numbers;
    }

    std::vector<cdouble> run(Precision precision, Precision q_precision, const std::vector<cdouble>& image,
                             const std::vector<cdouble>& coil_maps, const std::vector<cdouble>& modulation = {}) {
        Array q(*backend_, VoxelGrid::differences(the_case().matrix_size).shape, q_precision);
        upload(q_, q);
        std::optional<Array> modulation_array;
        if (!modulation.empty()) {
            modulation_array.emplace(*backend_, shape_, precision);
            upload(modulation, *modulation_array);
        }
        const auto plan = backend_->make_toeplitz(shape_, q, precision, std::move(modulation_array));
        Array in(*backend_, shape_, precision), out(*backend_, shape_, precision);
        upload(image, in);
        backend_->fill({NAN, NAN}, out);
        if (coil_maps.empty()) {
            plan->apply(in, std::nullopt, out);
        } else {
            Array maps(*backend_, shape_.with_axis("coil", the_case().coil_count), precision);
            upload(coil_maps, maps);
            plan->apply(in, maps.view(), out);
        }
        return download<double>(out);
    }

    std::mt19937_64 random_{11};
    Shape shape_ = Shape::image(the_case().matrix_size);
    DirectNormal direct_{the_case().matrix_size, 40, random_};
    std::vector<cdouble> q_ = direct_.q();
    std::unique_ptr<Backend> backend_ = std::get<0>(GetParam()).make();
};

// Six FFT axes and four products of a few roundings each, 6e-8 in single precision; the direct sums of the reference
// themselves limit the comparison in double.
constexpr double single_tolerance = 1e-6;
constexpr double double_tolerance = 1e-12;

TEST_P(Toeplitz, AgreesWithTheDirectNormalOperator) {
    const auto image = random_numbers(shape_.element_count());
    const auto maps = random_numbers(shape_.element_count() * the_case().coil_count);
    const auto expected = direct_.apply(image, maps);
    EXPECT_LT(test::relative_difference(run(Precision::single, Precision::double_, image, maps), expected),
              single_tolerance);
    EXPECT_LT(test::relative_difference(run(Precision::single, Precision::single, image, maps), expected),
              single_tolerance);
    EXPECT_LT(test::relative_difference(run(Precision::double_, Precision::double_, image, maps), expected),
              double_tolerance);
    EXPECT_LT(test::relative_difference(run(Precision::double_, Precision::single, image, maps), expected),
              single_tolerance);
}

TEST_P(Toeplitz, IsTheSameToTheLastBitEveryTimeWithAnyNumberOfThreads) {
    const auto image = random_numbers(shape_.element_count());
    const auto maps = random_numbers(shape_.element_count() * the_case().coil_count);
    const int usual = omp_get_max_threads();
    std::vector<std::vector<cdouble>> results;
    for (const int threads : {1, 3}) {
        omp_set_num_threads(threads);
        results.push_back(run(Precision::single, Precision::double_, image, maps));
    }
    omp_set_num_threads(usual);
    for (const auto& result : results) {
        EXPECT_EQ(0, std::memcmp(result.data(), results[0].data(), result.size() * sizeof(cdouble)));
    }
}

TEST_P(Toeplitz, WithAModulationIsThePlainOneBetweenIt) {
    const auto image = random_numbers(shape_.element_count());
    const auto maps = random_numbers(shape_.element_count() * the_case().coil_count);
    const auto modulation = random_numbers(shape_.element_count());
    std::vector<cdouble> modulated = image;
    for (std::size_t n = 0; n < image.size(); ++n) {
        modulated[n] *= modulation[n];
    }
    std::vector<cdouble> expected = direct_.apply(modulated, maps);
    for (std::size_t n = 0; n < image.size(); ++n) {
        expected[n] *= std::conj(modulation[n]);
    }
    EXPECT_LT(test::relative_difference(run(Precision::single, Precision::double_, image, maps, modulation), expected),
              2 * single_tolerance);  // two roundings more
    EXPECT_LT(test::relative_difference(run(Precision::double_, Precision::double_, image, maps, modulation), expected),
              2 * double_tolerance);
}

TEST_P(Toeplitz, IsHermitianAndNotNegative) {
    const auto x = random_numbers(shape_.element_count());
    const auto y = random_numbers(shape_.element_count());
    const auto maps = random_numbers(shape_.element_count() * the_case().coil_count);
    const auto normal_x = run(Precision::double_, Precision::double_, x, maps);
    const auto normal_y = run(Precision::double_, Precision::double_, y, maps);
    cdouble left = 0, right = 0, energy = 0;
    double size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        left += std::conj(y[i]) * normal_x[i];
        right += std::conj(normal_y[i]) * x[i];
        energy += std::conj(x[i]) * normal_x[i];
        size += std::abs(x[i]) * std::abs(normal_x[i]) + std::abs(y[i]) * std::abs(normal_x[i]);
    }
    EXPECT_LT(std::abs(left - right), double_tolerance * size);
    EXPECT_LT(std::abs(energy.imag()), double_tolerance * size);
    EXPECT_GT(energy.real(), 0);
}

INSTANTIATE_TEST_SUITE_P(, Toeplitz,
                         ::testing::Combine(test::every_backend(),
                                            ::testing::Values(ToeplitzCase{{1, 1, 1}, 0}, ToeplitzCase{{1, 1, 1}, 3},
                                                              ToeplitzCase{{2, 1, 1}, 0}, ToeplitzCase{{1, 37, 1}, 2},
                                                              ToeplitzCase{{1, 1, 64}, 0}, ToeplitzCase{{7, 5, 1}, 0},
                                                              ToeplitzCase{{1, 20, 21}, 3}, ToeplitzCase{{3, 1, 50}, 1},
                                                              ToeplitzCase{{33, 17, 1}, 4}, ToeplitzCase{{2, 2, 2}, 2},
                                                              ToeplitzCase{{3, 4, 5}, 1}, ToeplitzCase{{17, 2, 9}, 2},
                                                              ToeplitzCase{{16, 16, 16}, 0},
                                                              ToeplitzCase{{19, 23, 6}, 2},
                                                              ToeplitzCase{{40, 3, 13}, 0})),
                         [](const auto& info) { return std::get<0>(info.param).name + std::to_string(info.index); });

using ToeplitzPlanOf = test::EveryBackend;

TEST_P(ToeplitzPlanOf, ManyCoilsGoThroughInSeveralBatches) {
    // 128 x 64 x 16 voxels: 4 MB a coil and batch limits of tens of megabytes: 20 coils need more than one batch
    const PerAxis<Index> n{128, 64, 16};
    const Index coil_count = 20;
    const Shape shape = Shape::image(n);
    std::vector<cdouble> delta(VoxelGrid::differences(n).shape.element_count());
    delta[delta.size() / 2] = 1;  // the operator is the sum of |S|^2
    Array q(*backend_, VoxelGrid::differences(n).shape, Precision::double_);
    upload(delta, q);
    const auto plan = backend_->make_toeplitz(shape, q, Precision::single);
    const Array image = test::random_array(*backend_, shape, Precision::single, 3);
    const Array maps = test::random_array(*backend_, shape.with_axis("coil", coil_count), Precision::single, 4);
    Array result(*backend_, shape, Precision::single);
    plan->apply(image, maps.view(), result);
    std::vector<cdouble> expected(shape.element_count());
    const std::vector<cdouble> s = download<double>(maps);
    const std::vector<cdouble> x = download<double>(image);
    for (std::size_t i = 0; i < s.size(); ++i) {
        expected[i % x.size()] += std::norm(s[i]) * x[i % x.size()];
    }
    EXPECT_LT(test::relative_difference(download<double>(result), expected), single_tolerance);
}

TEST_P(ToeplitzPlanOf, RefusesWhatDoesNotFit) {
    const Shape shape = Shape::image({4, 3, 1});
    Array q(*backend_, Shape::image({7, 5, 1}), Precision::double_);
    backend_->fill(1, q);
    Array doubled(*backend_, Shape::image({8, 6, 1}), Precision::double_);
    EXPECT_THROW(backend_->make_toeplitz(shape, doubled, Precision::single), ShapeError);

    const auto plan = backend_->make_toeplitz(shape, q, Precision::single);
    Array image(*backend_, shape, Precision::single), result(*backend_, shape, Precision::single);
    Array fine(*backend_, shape, Precision::double_), turned(*backend_, Shape::image({3, 4, 1}), Precision::single);
    Array maps(*backend_, turned.shape().with_axis("coil", 2), Precision::single);
    EXPECT_THROW(plan->apply(turned, std::nullopt, result), ShapeError);
    EXPECT_THROW(plan->apply(image, std::nullopt, turned), ShapeError);
    EXPECT_THROW(plan->apply(fine, std::nullopt, result), ShapeError);
    EXPECT_THROW(plan->apply(image, maps.view(), result), ShapeError);
    EXPECT_THROW(plan->apply(image, image.view(), result), ShapeError);
    EXPECT_THROW(plan->apply(image, std::nullopt, image), ShapeError);

    EXPECT_THROW(backend_->make_toeplitz(shape, q, Precision::single, turned.clone()), ShapeError);
    EXPECT_THROW(backend_->make_toeplitz(shape, q, Precision::single, fine.clone()), ShapeError);

    backend_->fill({std::numeric_limits<double>::infinity(), 0}, q);
    EXPECT_THROW(backend_->make_toeplitz(shape, q, Precision::single), InputError);
}

INSTANTIATE_TEST_SUITE_P(, ToeplitzPlanOf, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
