#include <gtest/gtest.h>
#include <omp.h>

#include <cstring>

#include "core/fourier/direct_sums.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sums/exact_sums_cases.hpp"

namespace recon {
namespace {

using test::random_array;
using test::random_trajectory;
using test::relative_difference;

class ExactSums : public ::testing::TestWithParam<std::tuple<test::BackendFactory, test::ExactSumsCase, Precision>> {
protected:
    const test::ExactSumsCase& sizes() const { return std::get<1>(GetParam()); }
    Precision precision() const { return std::get<2>(GetParam()); }
    /// Single: factors are within 1e-7 and products with them round three times more; the sums add in chunks of 256,
    /// sqrt(256 / 6) roundings of 6e-8 (4e-7). Double: the same roundings, 5e8 times smaller, and the definition's own.
    double tolerance() const { return precision() == Precision::single ? 1e-6 : 1e-12; }

    Shape image_shape() const { return sizes().grid.shape.with_axis("coil", sizes().batch); }
    Shape sample_shape() const { return Shape::samples(sizes().sample_count).with_axis("coil", sizes().batch); }

    std::unique_ptr<Backend> backend = std::get<0>(GetParam()).make();
    Trajectory trajectory = random_trajectory(sizes().sample_count, sizes().bandwidth(), 11);
    std::unique_ptr<FourierSums> sums = backend->make_exact_sums(trajectory, sizes().grid, precision());
    Array image = random_array(*backend, image_shape(), precision(), 12);
    Array samples = random_array(*backend, sample_shape(), precision(), 13);
};

TEST_P(ExactSums, AdjointAgreesWithTheDirectSums) {
    Array found(*backend, image_shape(), precision());
    sums->adjoint(samples, found);
    for (Index coil = 0; coil < sizes().batch; ++coil) {
        const auto expected = direct_adjoint(trajectory, sizes().grid, download<double>(samples.slice(coil)));
        EXPECT_LT(relative_difference(download<double>(found.slice(coil)), expected), tolerance());
    }
}

TEST_P(ExactSums, ForwardAgreesWithTheDirectSums) {
    Array found(*backend, sample_shape(), precision());
    sums->forward(image, found);
    for (Index coil = 0; coil < sizes().batch; ++coil) {
        const auto expected = direct_forward(trajectory, sizes().grid, download<double>(image.slice(coil)));
        EXPECT_LT(relative_difference(download<double>(found.slice(coil)), expected), tolerance());
    }
}

// |<F x, y> - <x, F^H y>| over |F x| |y| / sqrt(n): of the order of the rounding of F.
TEST_P(ExactSums, PassTheDotTest) {
    Array forward(*backend, sample_shape(), precision());
    Array adjoint(*backend, image_shape(), precision());
    sums->forward(image, forward);
    sums->adjoint(samples, adjoint);
    const double scale = norm(forward) * norm(samples) / std::sqrt(static_cast<double>(samples.size()));
    EXPECT_LT(std::abs(backend->dot(forward, samples) - backend->dot(image, adjoint)) / scale, 10 * tolerance());
}

TEST_P(ExactSums, AreLinear) {
    const cdouble alpha(0.7, -1.3);
    Array other = random_array(*backend, sample_shape(), precision(), 14);
    Array of_samples(*backend, image_shape(), precision());
    Array of_other(*backend, image_shape(), precision());
    Array of_sum(*backend, image_shape(), precision());
    sums->adjoint(samples, of_samples);
    sums->adjoint(other, of_other);
    backend->axpby(1, samples, alpha, other);
    sums->adjoint(other, of_sum);
    backend->axpby(-1, of_samples, 1, of_sum);
    backend->axpby(-alpha, of_other, 1, of_sum);
    EXPECT_LT(norm(of_sum), 10 * tolerance() * norm(of_samples));
}

TEST_P(ExactSums, GiveTheSameBytesEveryTimeWithAnyNumberOfThreads) {
    const int usual = omp_get_max_threads();
    const auto bytes = [&](int threads) {
        omp_set_num_threads(threads);
        Array adjoint(*backend, image_shape(), precision());
        Array forward(*backend, sample_shape(), precision());
        sums->adjoint(samples, adjoint);
        sums->forward(image, forward);
        std::vector<cdouble> all = download<double>(adjoint);
        const std::vector<cdouble> rest = download<double>(forward);
        all.insert(all.end(), rest.begin(), rest.end());
        return all;
    };
    const std::vector<cdouble> one = bytes(1);
    const std::vector<cdouble> two = bytes(2);
    const std::vector<cdouble> seven = bytes(7);
    omp_set_num_threads(usual);
    EXPECT_EQ(std::memcmp(one.data(), two.data(), one.size() * sizeof(cdouble)), 0);
    EXPECT_EQ(std::memcmp(one.data(), seven.data(), one.size() * sizeof(cdouble)), 0);
}

INSTANTIATE_TEST_SUITE_P(, ExactSums,
                         ::testing::Combine(test::every_backend(), ::testing::ValuesIn(test::exact_sums_cases()),
                                            ::testing::Values(Precision::single, Precision::double_)),
                         [](const auto& info) {
                             return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name + "_" +
                                    std::string(name_of(std::get<2>(info.param)));
                         });

class ExactSumsAccuracy : public test::EveryBackend {
protected:
    double adjoint_error(const Trajectory& trajectory, const VoxelGrid& grid, const std::vector<cdouble>& values,
                         Precision precision) {
        Array samples(*backend_, Shape::samples(trajectory.sample_count()), precision);
        Array image(*backend_, grid.shape, precision);
        upload(values, samples);
        backend_->make_exact_sums(trajectory, grid, precision)->adjoint(samples, image);
        std::vector<Index> voxels;
        std::vector<cdouble> found;
        const std::vector<cdouble> all = download<double>(image);
        for (Index voxel = 0; voxel < grid.shape.element_count(); voxel += 7) {
            voxels.push_back(voxel);
            found.push_back(all[voxel]);
        }
        return relative_difference(found, direct_adjoint_at(trajectory, grid, voxels, values));
    }
};

TEST_P(ExactSumsAccuracy, FiveThousandRandomSamplesOfACube) {
    const VoxelGrid grid = VoxelGrid::image({32, 32, 32});
    const Trajectory trajectory = random_trajectory(5000, {32, 32, 32}, 1);
    const std::vector<cdouble> values = test::random_values(5000, 2);
    EXPECT_LT(adjoint_error(trajectory, grid, values, Precision::single), 1e-6);
    EXPECT_LT(adjoint_error(trajectory, grid, values, Precision::double_), 1e-12);
}

// Errors of a long sum in single precision grow with the number of samples unless chunks are promoted. All weights are
// positive, as for Q, so that the sum at the centre grows steadily.
TEST_P(ExactSumsAccuracy, HoldsForAMillionSamples) {
    const Index sample_count = 1000000;
    const VoxelGrid grid = VoxelGrid::image({12, 10, 1});
    const Trajectory trajectory = random_trajectory(sample_count, {12, 10, 1}, 3);
    // On a GPU tensor cores truncate when they add, which shows where every term has the same sign.
    EXPECT_LT(adjoint_error(trajectory, grid, std::vector<cdouble>(sample_count, 1.0), Precision::single),
              backend_->name() == "cpu" ? 1e-6 : 2e-6);
}

// The centre of real k-space is up to 1e5 times its edge: five decades of magnitudes in every chunk of samples.
TEST_P(ExactSumsAccuracy, HoldsForDataWithADynamicRangeOfOneHundredThousand) {
    const Index sample_count = 4000;
    const VoxelGrid grid = VoxelGrid::image({24, 21, 18});
    const Trajectory trajectory = random_trajectory(sample_count, {24, 21, 18}, 4);
    std::vector<cdouble> values = test::random_values(sample_count, 5);
    for (Index m = 0; m < sample_count; ++m) {
        values[m] *= std::pow(10.0, -5.0 * static_cast<double>(m % 1000) / 1000);
    }
    EXPECT_LT(adjoint_error(trajectory, grid, values, Precision::single), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(, ExactSumsAccuracy, test::every_backend(), test::backend_name);

}  // namespace
}  // namespace recon
