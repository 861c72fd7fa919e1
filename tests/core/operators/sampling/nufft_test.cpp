#include "core/operators/sampling/nufft.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "core/fourier/direct_sums.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon::test {
namespace {

const std::vector<PerAxis<Index>> matrix_sizes{{1, 1, 1},   {2, 1, 1},  {1, 9, 1},    {101, 1, 1},
                                               {31, 24, 1}, {7, 1, 12}, {16, 15, 18}, {3, 2, 5}};

/// Evenly spread samples, with the centre, both edges, points between grid points, and positions outside the band.
Trajectory awkward_trajectory(Index sample_count, PerAxis<Index> matrix_size, unsigned seed) {
    Trajectory trajectory = random_trajectory(sample_count, matrix_size, seed);
    for (int axis = 0; axis < 3; ++axis) {
        const auto n = static_cast<double>(matrix_size[axis]);
        if (matrix_size[axis] > 1) {
            std::vector<double>& k = trajectory.k[axis];
            const std::vector<double> special{0,    -0.5 * n, 0.5 * n,  std::nextafter(0.5 * n, 0),
                                              0.25, 1.7 * n,  -12.3 * n};
            for (Index m = 0; m < sample_count / 3; ++m) {
                k[m] = special[(m * (axis + 1) + m / 7) % special.size()];
            }
        }
    }
    return trajectory;
}

/// One trajectory and its exact sums.
struct Reference {
    Reference(PerAxis<Index> matrix_size, const VoxelGrid& voxel_grid, Index sample_count)
        : grid(voxel_grid),
          trajectory(awkward_trajectory(sample_count, matrix_size, 11)),
          samples(random_values(sample_count, 12)),
          image(random_values(grid.shape.element_count(), 13)),
          adjoint(direct_adjoint(trajectory, grid, samples)),
          forward(direct_forward(trajectory, grid, image)) {}

    VoxelGrid grid;
    Trajectory trajectory;
    std::vector<cdouble> samples;
    std::vector<cdouble> image;
    std::vector<cdouble> adjoint;
    std::vector<cdouble> forward;
};

class NufftTest : public EveryBackend {
protected:
    std::vector<cdouble> adjoint(const Nufft& nufft, const std::vector<cdouble>& samples) {
        const Index batch_count = static_cast<Index>(samples.size()) / nufft.sample_count();
        Array in(*backend_, Shape::samples(nufft.sample_count()).with_axis("batch", batch_count), nufft.precision());
        Array out(*backend_, nufft.grid().shape.with_axis("batch", batch_count), nufft.precision());
        backend_->fill(std::numeric_limits<double>::quiet_NaN(), out);
        upload(samples, in);
        nufft.adjoint(in, out);
        return download<double>(out);
    }

    std::vector<cdouble> forward(const Nufft& nufft, const std::vector<cdouble>& image) {
        const Index batch_count = static_cast<Index>(image.size()) / nufft.grid().shape.element_count();
        Array in(*backend_, nufft.grid().shape.with_axis("batch", batch_count), nufft.precision());
        Array out(*backend_, Shape::samples(nufft.sample_count()).with_axis("batch", batch_count), nufft.precision());
        backend_->fill(std::numeric_limits<double>::quiet_NaN(), out);
        upload(image, in);
        nufft.forward(in, out);
        return download<double>(out);
    }

    void expect_within_tolerance(const Reference& reference, double tolerance, Precision precision) {
        SCOPED_TRACE(testing::Message() << reference.grid.shape.text() << " tolerance " << tolerance << " "
                                        << name_of(precision));
        const Nufft nufft(*backend_, reference.trajectory, reference.grid, tolerance, precision);
        EXPECT_LT(relative_difference(adjoint(nufft, reference.samples), reference.adjoint), tolerance);
        EXPECT_LT(relative_difference(forward(nufft, reference.image), reference.forward), tolerance);
    }
};

TEST_P(NufftTest, ErrorStaysBelowTheToleranceInSinglePrecision) {
    for (const auto& matrix_size : matrix_sizes) {
        const Reference reference(matrix_size, VoxelGrid::image(matrix_size), 150);
        for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
            expect_within_tolerance(reference, tolerance, Precision::single);
        }
    }
}

TEST_P(NufftTest, ErrorStaysBelowTheToleranceInDoublePrecision) {
    for (const auto& matrix_size : matrix_sizes) {
        const Reference reference(matrix_size, VoxelGrid::image(matrix_size), 150);
        for (const double tolerance : {1e-3, 1e-6, 1e-9, 1e-11, 1e-12}) {
            expect_within_tolerance(reference, tolerance, Precision::double_);
        }
    }
}

TEST_P(NufftTest, LongAxesKeepTheTolerance) {
    const PerAxis<Index> matrix_size{1500, 1, 1};
    const Reference reference(matrix_size, VoxelGrid::image(matrix_size), 1000);
    for (const double tolerance : {1e-3, 1e-6}) {
        expect_within_tolerance(reference, tolerance, Precision::single);
    }
    for (const double tolerance : {1e-5, 1e-8, 1e-12}) {
        expect_within_tolerance(reference, tolerance, Precision::double_);
    }
}

TEST_P(NufftTest, GridOfDifferencesAndGridsWithAnyOrigin) {
    const PerAxis<Index> matrix_size{9, 6, 1};
    expect_within_tolerance(Reference(matrix_size, VoxelGrid::differences(matrix_size), 150), 1e-5, Precision::single);
    VoxelGrid moved = VoxelGrid::image(matrix_size);
    moved.origin = {0, 11, -2};
    expect_within_tolerance(Reference(matrix_size, moved, 150), 1e-5, Precision::single);
    expect_within_tolerance(Reference(matrix_size, moved, 150), 1e-11, Precision::double_);
    VoxelGrid finer = VoxelGrid::image(matrix_size);
    finer.spacing = {0.04, 0.2, 0.5};
    expect_within_tolerance(Reference(matrix_size, finer, 150), 1e-6, Precision::single);
}

TEST_P(NufftTest, SamplesCrowdedAtTheCentreKeepSinglePrecision) {
    // 60,000 samples within one cycle per field of view, nearly in phase: a plain running sum would lose digits.
    Trajectory trajectory = random_trajectory(60000, {2, 2, 2}, 21);
    const VoxelGrid grid = VoxelGrid::image({12, 11, 10});
    const std::vector<cdouble> ones(60000, 1.0);
    const std::vector<cdouble> expected = direct_adjoint(trajectory, grid, ones);
    const Nufft nufft(*backend_, trajectory, grid, 1e-6, Precision::single);
    EXPECT_LT(relative_difference(adjoint(nufft, ones), expected), 1e-6);
}

TEST_P(NufftTest, PassesTheDotTest) {
    for (const auto& matrix_size : matrix_sizes) {
        for (const Precision precision : {Precision::single, Precision::double_}) {
            SCOPED_TRACE(Shape::image(matrix_size).text());
            const Index sample_count = 400;
            const Nufft nufft(*backend_, awkward_trajectory(sample_count, matrix_size, 31),
                              VoxelGrid::image(matrix_size), 1e-3, precision);
            const Array x = random_array(*backend_, nufft.grid().shape, precision, 32);
            const Array y = random_array(*backend_, Shape::samples(sample_count), precision, 33);
            Array ax(*backend_, y.shape(), precision);
            Array ahy(*backend_, x.shape(), precision);
            nufft.forward(x, ax);
            nufft.adjoint(y, ahy);
            const double difference = std::abs(backend_->dot(ax, y) - backend_->dot(x, ahy));
            // The two are transposes whatever the tolerance: only rounding is left, amplified by the deapodisation.
            const double rounding = precision == Precision::single ? 1e-5 : 1e-14;
            EXPECT_LT(difference, rounding * norm(ax) * norm(y) / std::sqrt(static_cast<double>(sample_count)));
        }
    }
}

TEST_P(NufftTest, IsLinear) {
    const PerAxis<Index> matrix_size{16, 15, 18};
    const Nufft nufft(*backend_, awkward_trajectory(300, matrix_size, 41), VoxelGrid::image(matrix_size), 1e-3,
                      Precision::single);
    const cdouble alpha(0.7, -1.3);
    const std::vector<cdouble> x = random_values(300, 42);
    const std::vector<cdouble> y = random_values(300, 43);
    std::vector<cdouble> combined(300);
    for (std::size_t m = 0; m < combined.size(); ++m) {
        combined[m] = x[m] + alpha * y[m];
    }
    const std::vector<cdouble> of_x = adjoint(nufft, x);
    const std::vector<cdouble> of_y = adjoint(nufft, y);
    std::vector<cdouble> expected(of_x.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] = of_x[i] + alpha * of_y[i];
    }
    EXPECT_LT(relative_difference(adjoint(nufft, combined), expected), 1e-5);  // rounding, as in the dot test
}

TEST_P(NufftTest, SameBytesForAnyNumberOfThreadsAndAnyBatch) {
    const PerAxis<Index> matrix_size{40, 31, 24};
    const Index sample_count = 20000;
    const Index batch_count = 11;  // more than are transformed at once
    const Trajectory trajectory = awkward_trajectory(sample_count, matrix_size, 51);
    const Nufft nufft(*backend_, trajectory, VoxelGrid::image(matrix_size), 1e-4, Precision::single);
    const std::vector<cdouble> samples = random_values(batch_count * sample_count, 52);
    const int threads_before = omp_get_max_threads();
    omp_set_num_threads(1);
    const std::vector<cdouble> image = adjoint(nufft, samples);
    const std::vector<cdouble> back = forward(nufft, image);
    omp_set_num_threads(2);
    EXPECT_EQ(adjoint(nufft, samples), image);
    EXPECT_EQ(forward(nufft, image), back);
    omp_set_num_threads(threads_before);
    const std::vector<cdouble> last(samples.end() - sample_count, samples.end());
    const std::vector<cdouble> alone = adjoint(nufft, last);
    EXPECT_TRUE(std::equal(alone.rbegin(), alone.rend(), image.rbegin()));
}

TEST_P(NufftTest, OneSampleAndZeros) {
    const VoxelGrid grid = VoxelGrid::image({12, 7, 5});
    const Trajectory one{{{{2.3}, {-1.1}, {0.4}}}};
    const Nufft nufft(*backend_, one, grid, 1e-6, Precision::single);
    EXPECT_LT(relative_difference(adjoint(nufft, {{1, 2}}), direct_adjoint(one, grid, std::vector<cdouble>{{1, 2}})),
              1e-6);
    EXPECT_EQ(adjoint(nufft, {0.0, 0.0, 0.0}), std::vector<cdouble>(3 * 12 * 7 * 5));
    EXPECT_EQ(forward(nufft, std::vector<cdouble>(2 * 12 * 7 * 5)), std::vector<cdouble>(2));
}

TEST_P(NufftTest, ImpossibleRequestsAreErrors) {
    const VoxelGrid grid = VoxelGrid::image({12, 12, 12});
    const Trajectory one{{{{0.0}, {0.0}, {0.0}}}};
    const auto make = [&](const Trajectory& trajectory, double tolerance, Precision precision) {
        return Nufft(*backend_, trajectory, grid, tolerance, precision);
    };
    expect_error<UsageError>([&] { make(one, 1e-9, Precision::single); }, {"1.0e-09", "single", "double precision"});
    expect_error<UsageError>([&] { make(one, 1e-16, Precision::double_); }, {"1.0e-16", "exact sums"});
    expect_error<UsageError>([&] { make(one, 0, Precision::single); }, {"tolerance 0"});
    expect_error<UsageError>([&] { make(one, std::nan(""), Precision::single); }, {"tolerance nan"});
    expect_error<InputError>(
        [&] {
            make({{{{0.0}, {std::nan("")}, {0.0}}}}, 1e-3, Precision::single);
        },
        {"component y", "sample 0"});
    expect_error<InputError>([&] { make({{{{0.0}, {0.0, 1.0}, {0.0}}}}, 1e-3, Precision::single); }, {"1, 2 and 1"});
    expect_error<InputError>([&] { make({}, 1e-3, Precision::single); }, {"no samples"});
}

TEST_P(NufftTest, PredictedErrorIsNearTheMeasuredOne) {
    const PerAxis<Index> matrix_size{25, 20, 16};
    const Reference reference(matrix_size, VoxelGrid::image(matrix_size), 400);
    for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
        const Nufft nufft(*backend_, reference.trajectory, reference.grid, tolerance, Precision::single);
        const double measured = relative_difference(adjoint(nufft, reference.samples), reference.adjoint);
        // The prediction is for the worst sample positions and for images that fare badly: it is too careful here.
        EXPECT_GT(nufft.design().predicted_error, 0.9 * measured);
        EXPECT_LT(nufft.design().predicted_error, 3 * measured);
    }
}

INSTANTIATE_TEST_SUITE_P(, NufftTest, every_backend(), backend_name);

}  // namespace
}  // namespace recon::test
