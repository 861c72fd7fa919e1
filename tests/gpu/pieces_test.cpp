// Work that does not fit in one piece: slabs of the Toeplitz product, batches and slices of the exact sums.
#include <cstring>

#include "core/fourier/voxel_grid.hpp"
#include "gpu/exact/exact_sums_method.hpp"
#include "gpu/toeplitz/gpu_toeplitz.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

class GpuPieces : public test::OnGpu<> {
protected:
    bool same_bytes(ConstArrayView a, ConstArrayView b) {
        const std::vector<cdouble> x = download<double>(a);
        const std::vector<cdouble> y = download<double>(b);
        return std::memcmp(x.data(), y.data(), x.size() * sizeof(cdouble)) == 0;
    }
};

/// No sum of the Toeplitz product changes its order in slabs, in batches of coils or in calls: the same bytes.
TEST_F(GpuPieces, ToeplitzInSlabsAndBatchesGivesTheSameBytes) {
    for (const PerAxis<Index> n : {PerAxis<Index>{40, 33, 29}, PerAxis<Index>{100, 24, 7}, PerAxis<Index>{60, 50, 1}}) {
        for (const Precision precision : {Precision::single, Precision::double_}) {
            const Shape shape = Shape::image(n);
            const Index coils = 5;
            Array q(gpu(), VoxelGrid::differences(n).shape, Precision::double_);
            gpu().fill(0.5, q);
            const Array image = test::random_array(gpu(), shape, precision, 1);
            const Array maps = test::random_array(gpu(), shape.with_axis("coil", coils), precision, 2);
            Array whole(gpu(), shape, precision);
            Array pieces(gpu(), shape, precision);
            const auto plan = make_cuda_toeplitz(gpu(), shape, q, precision, {});
            plan->apply(image, maps.view(), whole);
            EXPECT_GT(norm(whole), 0);
            for (const Index slab_bytes : {1, 100'000, 1'000'000}) {
                const auto in_slabs = make_cuda_toeplitz(gpu(), shape, q, precision, {.slab_bytes = slab_bytes});
                gpu().fill({1e30, 0}, pieces);
                in_slabs->apply(image, maps.view(), pieces);
                EXPECT_TRUE(same_bytes(pieces, whole)) << shape.text() << ", slabs of " << slab_bytes;
            }
            for (const std::size_t piece_bytes : {std::size_t{1}, std::size_t{3'000'000}}) {
                const test::MemoryLimit restore(gpu(), MemoryBudget::unlimited);
                gpu().memory().set_piece_bytes(piece_bytes);
                plan->apply(image, maps.view(), pieces);
                EXPECT_TRUE(same_bytes(pieces, whole)) << shape.text() << ", pieces of " << piece_bytes;
            }
            plan->apply(image, maps.view().slices(0, 2), pieces);
            plan->apply(image, maps.view().slices(2, 3), pieces, Accumulate::yes);
            EXPECT_TRUE(same_bytes(pieces, whole)) << shape.text() << ", in two calls";
        }
    }
}

/// The order of additions depends on the pieces: rounding. The sums themselves are good to 1e-6 and 1e-12.
TEST_F(GpuPieces, ExactSumsInBatchesSlicesAndRunsAgree) {
    struct Way {
        Precision precision;
        ExactSumsMethod method;
        double tolerance;
    };
    const PerAxis<Index> n{40, 33, 29};
    const VoxelGrid grid = VoxelGrid::image(n);
    const Index batch = 7;
    const Index sample_count = 9'001;
    const Trajectory trajectory = test::random_trajectory(sample_count, n, 3);
    for (const Way& way : {Way{Precision::single, ExactSumsMethod::automatic, 2e-6},
                           Way{Precision::single, ExactSumsMethod::warp_matrix, 2e-6},
                           Way{Precision::single, ExactSumsMethod::special_functions, 2e-6},
                           Way{Precision::double_, ExactSumsMethod::automatic, 1e-13}}) {
        const Array samples =
            test::random_array(gpu(), Shape::samples(sample_count).with_axis("coil", batch), way.precision, 1);
        const Array images = test::random_array(gpu(), grid.shape.with_axis("coil", batch), way.precision, 2);
        Array adjoint(gpu(), images.shape(), way.precision);
        Array forward(gpu(), samples.shape(), way.precision);
        const auto sums = make_cuda_exact_sums(gpu(), trajectory, grid, way.precision, way.method);
        sums->adjoint(samples, adjoint);
        sums->forward(images, forward);
        const std::vector<cdouble> whole_adjoint = download<double>(adjoint);
        const std::vector<cdouble> whole_forward = download<double>(forward);
        for (const std::size_t piece_bytes : {std::size_t{1}, std::size_t{700'000}, std::size_t{8'000'000}}) {
            const test::MemoryLimit restore(gpu(), MemoryBudget::unlimited);
            gpu().memory().set_piece_bytes(piece_bytes);
            gpu().fill({1e30, 0}, adjoint);
            gpu().fill({1e30, 0}, forward);
            sums->adjoint(samples, adjoint);
            sums->forward(images, forward);
            EXPECT_LT(test::relative_difference(download<double>(adjoint), whole_adjoint), way.tolerance)
                << piece_bytes << " bytes, method " << static_cast<int>(way.method);
            EXPECT_LT(test::relative_difference(download<double>(forward), whole_forward), way.tolerance)
                << piece_bytes << " bytes, method " << static_cast<int>(way.method);
        }
    }
}

TEST_F(GpuPieces, WhatExceedsTheLimitIsRefusedByItsName) {
    const test::MemoryLimit at_most(gpu(), 1'000'000);
    try {
        const Array array(gpu(), Shape::samples(1'000'000), Precision::single);
        FAIL();
    } catch (const DeviceError& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("cuda:0: 8.0 MB of memory asked for"), std::string::npos) << what;
        EXPECT_NE(what.find("the limit is 1.0 MB"), std::string::npos) << what;
    }
}

}  // namespace
}  // namespace recon
