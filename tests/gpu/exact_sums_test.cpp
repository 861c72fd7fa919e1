#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/error.hpp"
#include "core/fourier/direct_sums.hpp"
#include "gpu/backend/gpu_backend.hpp"
#include "gpu/exact/exact_sums_method.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sums/exact_sums_cases.hpp"

namespace recon {
namespace {

using test::random_array;
using test::random_trajectory;
using test::relative_difference;
using Method = ExactSumsMethod;

struct Way {
    const char* name;
    Precision precision;
    Method method;
};

/// Empty, with the reason, where there is no GPU that can do it.
struct Gpu {
    std::unique_ptr<Backend> backend;
    std::unique_ptr<FourierSums> sums;
    std::string reason;

    Gpu(const Trajectory& trajectory, const VoxelGrid& grid, Precision precision, Method method) {
        try {
            backend = make_cuda_backend(0);
            sums = make_cuda_exact_sums(*backend, trajectory, grid, precision, method);
        } catch (const BackendUnavailable& error) {
            reason = error.what();
        } catch (const UsageError& error) {
            reason = error.what();
        }
    }
};

/// Tensor cores truncate when they add: 256 samples between promotions are 48 additions that lose half of 2^-23 each on
/// average while the sum grows, 2e-6 at most in one direction. Special functions: the hardware's sine is within 2^-21.
double tolerance_of(Precision precision) { return precision == Precision::single ? 2.5e-6 : 1e-12; }

class CudaExactSums : public ::testing::TestWithParam<std::tuple<test::ExactSumsCase, Way>> {
protected:
    void SetUp() override {
        if (!gpu.sums) {
            GTEST_SKIP() << gpu.reason;
        }
    }
    const test::ExactSumsCase& sizes() const { return std::get<0>(GetParam()); }
    Precision precision() const { return std::get<1>(GetParam()).precision; }
    double tolerance() const { return tolerance_of(precision()); }
    Shape image_shape() const { return sizes().grid.shape.with_axis("coil", sizes().batch); }
    Shape sample_shape() const { return Shape::samples(sizes().sample_count).with_axis("coil", sizes().batch); }
    Array random_image(unsigned seed) { return random_array(*gpu.backend, image_shape(), precision(), seed); }
    Array random_samples(unsigned seed) { return random_array(*gpu.backend, sample_shape(), precision(), seed); }
    /// Poisoned, so that an element nobody writes is found.
    Array empty(const Shape& shape) {
        Array array(*gpu.backend, shape, precision());
        gpu.backend->fill(std::numeric_limits<double>::quiet_NaN(), array);
        return array;
    }

    Trajectory trajectory = random_trajectory(sizes().sample_count, sizes().bandwidth(), 11);
    Gpu gpu{trajectory, sizes().grid, precision(), std::get<1>(GetParam()).method};
};

TEST_P(CudaExactSums, AdjointAgreesWithTheDirectSums) {
    const Array samples = random_samples(13);
    Array found = empty(image_shape());
    gpu.sums->adjoint(samples, found);
    for (Index coil = 0; coil < sizes().batch; ++coil) {
        const auto expected = direct_adjoint(trajectory, sizes().grid, download<double>(samples.slice(coil)));
        EXPECT_LT(relative_difference(download<double>(found.slice(coil)), expected), tolerance());
    }
}

TEST_P(CudaExactSums, ForwardAgreesWithTheDirectSums) {
    const Array image = random_image(12);
    Array found = empty(sample_shape());
    gpu.sums->forward(image, found);
    for (Index coil = 0; coil < sizes().batch; ++coil) {
        const auto expected = direct_forward(trajectory, sizes().grid, download<double>(image.slice(coil)));
        EXPECT_LT(relative_difference(download<double>(found.slice(coil)), expected), tolerance());
    }
}

// |<F x, y> - <x, F^H y>| over |F x| |y| / sqrt(n): of the order of the rounding of F.
TEST_P(CudaExactSums, PassTheDotTest) {
    const Array image = random_image(12);
    const Array samples = random_samples(13);
    Array forward = empty(sample_shape());
    Array adjoint = empty(image_shape());
    gpu.sums->forward(image, forward);
    gpu.sums->adjoint(samples, adjoint);
    const double scale = norm(forward) * norm(samples) / std::sqrt(static_cast<double>(samples.size()));
    EXPECT_LT(std::abs(gpu.backend->dot(forward, samples) - gpu.backend->dot(image, adjoint)) / scale,
              10 * tolerance());
}

TEST_P(CudaExactSums, AreLinear) {
    const cdouble alpha(0.7, -1.3);
    const Array samples = random_samples(13);
    Array other = random_samples(14);
    Array of_samples = empty(image_shape());
    Array of_other = empty(image_shape());
    Array of_sum = empty(image_shape());
    gpu.sums->adjoint(samples, of_samples);
    gpu.sums->adjoint(other, of_other);
    gpu.backend->axpby(1, samples, alpha, other);
    gpu.sums->adjoint(other, of_sum);
    gpu.backend->axpby(-1, of_samples, 1, of_sum);
    gpu.backend->axpby(-alpha, of_other, 1, of_sum);
    EXPECT_LT(norm(of_sum), 10 * tolerance() * norm(of_samples));
}

TEST_P(CudaExactSums, GiveTheSameBytesInEveryRun) {
    const Array image = random_image(12);
    const Array samples = random_samples(13);
    const auto run = [&] {
        Array adjoint = empty(image_shape());
        Array forward = empty(sample_shape());
        gpu.sums->adjoint(samples, adjoint);
        gpu.sums->forward(image, forward);
        std::vector<cdouble> all = download<double>(adjoint);
        const std::vector<cdouble> rest = download<double>(forward);
        all.insert(all.end(), rest.begin(), rest.end());
        return all;
    };
    const std::vector<cdouble> first = run();
    for (int repeat = 0; repeat < 3; ++repeat) {
        const std::vector<cdouble> again = run();
        EXPECT_EQ(std::memcmp(first.data(), again.data(), first.size() * sizeof(cdouble)), 0);
    }
}

const Way ways[] = {{"automatic", Precision::single, Method::automatic},
                    {"warp_groups", Precision::single, Method::warp_group_matrix},
                    {"warps", Precision::single, Method::warp_matrix},
                    {"special_functions", Precision::single, Method::special_functions},
                    {"double", Precision::double_, Method::automatic}};

INSTANTIATE_TEST_SUITE_P(, CudaExactSums,
                         ::testing::Combine(::testing::ValuesIn(test::exact_sums_cases()), ::testing::ValuesIn(ways)),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param).name;
                         });

class CudaExactSumsAccuracy : public ::testing::TestWithParam<Way> {
protected:
    /// Relative error of the adjoint at every seventh voxel.
    void check_adjoint(const Trajectory& trajectory, const VoxelGrid& grid, const std::vector<cdouble>& values) {
        const Precision precision = GetParam().precision;
        const Gpu gpu(trajectory, grid, precision, GetParam().method);
        if (!gpu.sums) {
            GTEST_SKIP() << gpu.reason;
        }
        Array samples(*gpu.backend, Shape::samples(trajectory.sample_count()), precision);
        Array image(*gpu.backend, grid.shape, precision);
        upload(values, samples);
        gpu.sums->adjoint(samples, image);
        std::vector<Index> voxels;
        std::vector<cdouble> found;
        const std::vector<cdouble> all = download<double>(image);
        for (Index voxel = 0; voxel < grid.shape.element_count(); voxel += 7) {
            voxels.push_back(voxel);
            found.push_back(all[voxel]);
        }
        const auto expected = direct_adjoint_at(trajectory, grid, voxels, values);
        const double error = relative_difference(found, expected);
        RecordProperty("relative_error", std::to_string(error));
        EXPECT_LT(error, tolerance_of(precision));
    }
};

TEST_P(CudaExactSumsAccuracy, FiveThousandRandomSamplesOfACube) {
    check_adjoint(random_trajectory(5000, {32, 32, 32}, 1), VoxelGrid::image({32, 32, 32}),
                  test::random_values(5000, 2));
}

// More than one run of samples, many promotions, and a sum at the centre that only grows, as for Q.
TEST_P(CudaExactSumsAccuracy, HoldsForAMillionSamples) {
    const Index sample_count = 1100000;
    check_adjoint(random_trajectory(sample_count, {12, 10, 1}, 3), VoxelGrid::image({12, 10, 1}),
                  std::vector<cdouble>(sample_count, 1.0));
}

// The centre of real k-space is up to 1e5 times its edge: five decades of magnitudes in every chunk of samples.
TEST_P(CudaExactSumsAccuracy, HoldsForDataWithADynamicRangeOfOneHundredThousand) {
    const Index sample_count = 4000;
    std::vector<cdouble> values = test::random_values(sample_count, 5);
    for (Index m = 0; m < sample_count; ++m) {
        values[m] *= std::pow(10.0, -5.0 * static_cast<double>(m % 1000) / 1000);
    }
    check_adjoint(random_trajectory(sample_count, {24, 21, 18}, 4), VoxelGrid::image({24, 21, 18}), values);
}

// Coils far apart in sensitivity: each is scaled by itself.
TEST_P(CudaExactSumsAccuracy, HoldsForEveryCoilOfABatch) {
    const Precision precision = GetParam().precision;
    const VoxelGrid grid = VoxelGrid::image({16, 15, 14});
    const Trajectory trajectory = random_trajectory(900, {16, 15, 14}, 6);
    const Gpu gpu(trajectory, grid, precision, GetParam().method);
    if (!gpu.sums) {
        GTEST_SKIP() << gpu.reason;
    }
    const double sizes[] = {1e-12, 1, 1e9, 3e-30};
    Array samples(*gpu.backend, Shape::samples(900).with_axis("coil", 4), precision);
    Array image(*gpu.backend, grid.shape.with_axis("coil", 4), precision);
    for (Index coil = 0; coil < 4; ++coil) {
        std::vector<cdouble> values = test::random_values(900, static_cast<unsigned>(coil));
        for (cdouble& value : values) {
            value *= sizes[coil];
        }
        upload(values, samples.slice(coil));
    }
    gpu.sums->adjoint(samples, image);
    for (Index coil = 0; coil < 4; ++coil) {
        const auto expected = direct_adjoint(trajectory, grid, download<double>(samples.slice(coil)));
        EXPECT_LT(relative_difference(download<double>(image.slice(coil)), expected), tolerance_of(precision));
    }
    Array again(*gpu.backend, samples.shape(), precision);
    gpu.sums->forward(image, again);
    for (Index coil = 0; coil < 4; ++coil) {
        const auto expected = direct_forward(trajectory, grid, download<double>(image.slice(coil)));
        EXPECT_LT(relative_difference(download<double>(again.slice(coil)), expected), tolerance_of(precision));
    }
}

TEST_P(CudaExactSumsAccuracy, DoesNotHideANumberThatIsNone) {
    const VoxelGrid grid = VoxelGrid::image({20, 16, 12});
    const Gpu gpu(random_trajectory(500, {20, 16, 12}, 6), grid, GetParam().precision, GetParam().method);
    if (!gpu.sums) {
        GTEST_SKIP() << gpu.reason;
    }
    std::vector<cdouble> values = test::random_values(500, 7);
    values[123] = std::numeric_limits<double>::quiet_NaN();
    Array samples(*gpu.backend, Shape::samples(500), GetParam().precision);
    Array image(*gpu.backend, grid.shape, GetParam().precision);
    upload(values, samples);
    gpu.sums->adjoint(samples, image);
    EXPECT_TRUE(std::isnan(norm(image)));
}

TEST_P(CudaExactSumsAccuracy, ZeroStaysZero) {
    const VoxelGrid grid = VoxelGrid::image({20, 16, 12});
    const Gpu gpu(random_trajectory(500, {20, 16, 12}, 6), grid, GetParam().precision, GetParam().method);
    if (!gpu.sums) {
        GTEST_SKIP() << gpu.reason;
    }
    Array samples(*gpu.backend, Shape::samples(500), GetParam().precision);
    Array image = random_array(*gpu.backend, grid.shape, GetParam().precision, 1);
    gpu.backend->fill(0, samples);
    gpu.sums->adjoint(samples, image);
    EXPECT_EQ(norm(image), 0);
}

INSTANTIATE_TEST_SUITE_P(, CudaExactSumsAccuracy, ::testing::ValuesIn(ways),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace recon
