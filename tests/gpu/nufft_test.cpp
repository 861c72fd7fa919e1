#include "core/operators/sampling/nufft.hpp"
#include "core/fourier/direct_sums.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using GpuNufft = test::OnGpu<>;

void expect_within_tolerance(Backend& gpu, const VoxelGrid& grid, double tolerance, Precision precision) {
    SCOPED_TRACE(testing::Message() << grid.shape.text() << ", tolerance " << tolerance);
    constexpr Index sample_count = 400;
    constexpr Index batch_count = 2;
    const Index voxel_count = grid.shape.element_count();
    const Trajectory trajectory = test::random_trajectory(sample_count, grid.shape.matrix_size(), 1);
    const Nufft nufft(gpu, trajectory, grid, tolerance, precision);
    const auto image_values = test::random_values(voxel_count * batch_count, 2);
    const auto sample_values = test::random_values(sample_count * batch_count, 3);
    Array image(gpu, grid.shape.with_axis("batch", batch_count), precision);
    Array samples(gpu, Shape::samples(sample_count).with_axis("batch", batch_count), precision);

    upload(image_values, image);
    nufft.forward(image, samples);
    const auto forward = download<double>(samples);
    upload(sample_values, samples);
    nufft.adjoint(samples, image);
    const auto adjoint = download<double>(image);
    for (Index b = 0; b < batch_count; ++b) {
        const auto of = [b](const std::vector<cdouble>& all, Index size) {
            return std::vector<cdouble>(all.begin() + b * size, all.begin() + (b + 1) * size);
        };
        EXPECT_LT(test::relative_difference(of(forward, sample_count),
                                            direct_forward(trajectory, grid, of(image_values, voxel_count))),
                  tolerance);
        EXPECT_LT(test::relative_difference(of(adjoint, voxel_count),
                                            direct_adjoint(trajectory, grid, of(sample_values, sample_count))),
                  tolerance);
    }
}

TEST_F(GpuNufft, MeetsTheToleranceAgainstTheDirectSums) {
    VoxelGrid off_centre = VoxelGrid::image({13, 12, 1});
    off_centre.origin = {2, 11, 0};
    const VoxelGrid grids[] = {VoxelGrid::image({1, 1, 1}),
                               VoxelGrid::image({50, 1, 1}),
                               VoxelGrid::image({21, 34, 1}),
                               VoxelGrid::image({1, 20, 15}),
                               VoxelGrid::image({17, 9, 12}),
                               VoxelGrid::differences({8, 7, 5}),
                               off_centre};
    for (const VoxelGrid& grid : grids) {
        for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
            expect_within_tolerance(gpu(), grid, tolerance, Precision::single);
        }
        for (const double tolerance : {1e-3, 1e-6, 1e-9, 1e-12}) {
            expect_within_tolerance(gpu(), grid, tolerance, Precision::double_);
        }
    }
}

}  // namespace
}  // namespace recon
