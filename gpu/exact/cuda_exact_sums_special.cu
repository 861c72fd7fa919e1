// Exact sums by the special-function units: a sine and a cosine for every pair. Any shape, no factors, no tiles to
// fill.
#include "gpu/device/cuda_check.cuh"
#include "gpu/exact/cuda_exact_sums_kernels.cuh"
#include "gpu/exact/pair_sums.cuh"

namespace recon::exact_sums {
namespace {

using pair_sums::Code;

/// Phases k r of voxels on a grid.
struct GridPhases {
    using Real = float;
    using Total = float;
    using Voxel = Code;
    using Sample = Code;
    static constexpr int unrolled_sources = 4;

    SpecialSums work;

    __device__ Voxel voxel(Index n) const {
        Code code{};
        for (int axis = 0; axis < 3; ++axis) {
            const int i = static_cast<int>(n % work.extent[axis]);
            n /= work.extent[axis];
            code.at[axis] = static_cast<std::uint32_t>(i - work.origin[axis]);
        }
        return code;
    }

    __device__ Sample sample(Index m) const {
        Code code{};
        for (int axis = 0; axis < 3; ++axis) {
            const double turns = work.positions.k[axis][m] * work.spacing[axis];
            code.at[axis] = static_cast<std::uint32_t>(__double2ll_rn((turns - rint(turns)) * 4294967296.0));
        }
        return code;
    }

    __device__ Complex factor(const Voxel& voxel, const Sample& sample) const {
        return pair_sums::phase_factor(pair_sums::phase_of(voxel, sample));
    }
};

template <bool adjoint>
void special_sums(const SpecialSums& work, const Complex* values, int batch, Complex* results, int slices,
                  Complex* partial, cudaStream_t stream) {
    const Index samples = work.positions.count;
    const Index sources = adjoint ? samples : work.voxel_count();
    const Index targets = adjoint ? work.voxel_count() : samples;
    Complex* out = slices > 1 ? partial : results;
    const dim3 grid(static_cast<unsigned>(special_blocks(targets)), static_cast<unsigned>(slices));
    pair_sums::for_each_few_images(batch, [&](Index first, auto count) {
        pair_sums::pair_sums_kernel<GridPhases, count(), adjoint><<<grid, pair_sums::threads, 0, stream>>>(
            GridPhases{work}, values + first * sources, sources, out + first * targets, targets, sources, targets,
            batch * targets);
        check_launch();
    });
    if (slices > 1) {
        pair_sums::add_slices_kernel<<<1024, 256, 0, stream>>>(partial, batch * targets, slices, results);
        check_launch();
    }
}

}  // namespace

Index special_blocks(Index result_count) { return pair_sums::block_count(result_count); }

void special_adjoint(const SpecialSums& work, const Complex* samples, int batch, Complex* image, int slices,
                     Complex* partial, cudaStream_t stream) {
    special_sums<true>(work, samples, batch, image, slices, partial, stream);
}

void special_forward(const SpecialSums& work, const Complex* image, int batch, Complex* samples, int slices,
                     Complex* partial, cudaStream_t stream) {
    special_sums<false>(work, image, batch, samples, slices, partial, stream);
}

}  // namespace recon::exact_sums
