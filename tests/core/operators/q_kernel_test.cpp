#include "core/operators/q_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/fourier/direct_sums.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

constexpr double nufft_tolerance = 1e-5;

struct Way {
    SumsMethod method;
    Precision precision;
    double error;  ///< relative L2 allowed
};

class QKernel : public ::testing::TestWithParam<std::tuple<test::BackendFactory, PerAxis<Index>, Way>> {
protected:
    PerAxis<Index> matrix_size() const { return std::get<1>(GetParam()); }
    Way way() const { return std::get<2>(GetParam()); }
    SumsOptions options() const { return {way().method, nufft_tolerance, way().precision}; }
    Index count() const { return VoxelGrid::differences(matrix_size()).shape.element_count(); }

    std::vector<cdouble> computed(std::span<const double> weights) {
        return download<double>(compute_q(*backend, trajectory, matrix_size(), weights, options()));
    }
    std::vector<cdouble> expected(std::span<const double> weights) {
        std::vector<cdouble> samples(trajectory.sample_count(), 1);
        std::ranges::copy(weights, samples.begin());
        return direct_adjoint(trajectory, VoxelGrid::differences(matrix_size()), samples);
    }

    std::unique_ptr<Backend> backend = std::get<0>(GetParam()).make();
    Trajectory trajectory = test::random_trajectory(400, matrix_size(), 21);
};

TEST_P(QKernel, AgreesWithTheDefinition) {
    EXPECT_LT(test::relative_difference(computed({}), expected({})), way().error);
}

TEST_P(QKernel, TakesSampleWeights) {
    std::vector<double> weights;
    for (const cdouble& value : test::random_values(400, 22)) {
        weights.push_back(std::abs(value));
    }
    EXPECT_LT(test::relative_difference(computed(weights), expected(weights)), way().error);
}

TEST_P(QKernel, IsExactlyHermitian) {
    const std::vector<cdouble> q = computed({});
    for (Index i = 0; i < count(); ++i) {
        ASSERT_EQ(q[i], std::conj(q[count() - 1 - i])) << i;
    }
}

TEST_P(QKernel, RefusesAWrongNumberOfWeights) { EXPECT_THROW(computed(std::vector<double>(399, 1.0)), ShapeError); }

INSTANTIATE_TEST_SUITE_P(
    , QKernel,
    ::testing::Combine(test::every_backend(),
                       ::testing::Values(PerAxis<Index>{1, 1, 1}, PerAxis<Index>{8, 9, 6}, PerAxis<Index>{12, 7, 1},
                                         PerAxis<Index>{31, 1, 1}, PerAxis<Index>{1, 10, 5}, PerAxis<Index>{5, 1, 8}),
                       ::testing::Values(  // CPU 1e-6, tensor cores twice that: docs/exact-sums-gpu.md, Accuracy
                           Way{SumsMethod::exact, Precision::single, 2e-6},
                           Way{SumsMethod::exact, Precision::double_, 1e-12},
                           Way{SumsMethod::nufft, Precision::single, nufft_tolerance},
                           Way{SumsMethod::automatic, Precision::single, nufft_tolerance})),
    [](const auto& info) { return std::get<0>(info.param).name + std::to_string(info.index); });

}  // namespace
}  // namespace recon
