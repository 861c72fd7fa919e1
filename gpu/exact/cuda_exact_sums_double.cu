// Exact sums in double: the same separable factors, multiplied on the tensor cores' fp64 units. No scaling, no
// splitting.
#include "gpu/device/cuda_check.cuh"
#include "gpu/device/cuda_warp_instructions.cuh"
#include "gpu/exact/cuda_exact_sums_double.cuh"
#include "gpu/exact/cuda_exact_sums_octant.cuh"

namespace recon::exact_sums {
namespace {

using namespace warp;

// A block of four warps owns 64 rows and 64 columns, a warp 32 x 32 of them, as 4 x 4 instructions of 8 x 8 x 4.
constexpr int tile_size = 64;
constexpr int depth = 16;
constexpr int stride = depth + 4;  ///< rows four banks of 8 bytes apart: no conflicts
constexpr int block_threads = 128;

struct SharedMemory {
    double a[tile_size][stride];
    double b[tile_size][stride];
};

struct WarpPlace {
    int lane = static_cast<int>(threadIdx.x) % 32;
    int row = static_cast<int>(threadIdx.x) / 64 * 32;
    int column = static_cast<int>(threadIdx.x) / 32 % 2 * 32;
};

/// sums += a b^T over the inner dimension in shared memory
__device__ void multiply(const SharedMemory& shared, const WarpPlace& place, double (&sums)[4][4][2]) {
#pragma unroll
    for (int inner = 0; inner < depth; inner += 4) {
        double a[4];
        double b[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            a[i] = shared.a[place.row + i * 8 + place.lane / 4][inner + place.lane % 4];
            b[i] = shared.b[place.column + i * 8 + place.lane / 4][inner + place.lane % 4];
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                multiply_8_8_4(sums[i][j], a[i], b[j]);
            }
        }
    }
}

__global__ void double_adjoint_kernel(const __grid_constant__ DoubleSums work) {
    __shared__ SharedMemory shared;
    const Tiling& tiling = work.tiling;
    const WarpPlace place;
    const int thread = static_cast<int>(threadIdx.x);
    const Index first_row = Index{blockIdx.x} * tile_size;
    const int first_column = static_cast<int>(blockIdx.y) * tile_size;
    const Index steps = work.padded / depth;
    const Index first_step = steps * blockIdx.z / work.slices;
    const Index last_step = steps * (blockIdx.z + 1) / work.slices;
    double sums[4][4][2] = {};
    for (Index step = first_step; step < last_step; ++step) {
        __syncthreads();
        for (int i = thread; i < tile_size * depth; i += block_threads) {
            const Index m = step * depth + i % depth;
            const Index row = first_row + i / depth;
            shared.a[i / depth][i % depth] = work.w[row / tiling.y_padded * work.padded + m] *
                                             work.y_factors[row % tiling.y_padded * work.padded + m];
            shared.b[i / depth][i % depth] = work.x_factors[(first_column + i / depth) * work.padded + m];
        }
        __syncthreads();
        multiply(shared, place, sums);
    }
    double* out = work.sums + blockIdx.z * tiling.sums_size() + first_column + place.column + place.lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            double* at = out + (first_row + place.row + i * 8 + place.lane / 4) * tiling.x_padded + j * 8;
            at[0] = sums[i][j][0] + (work.accumulate ? at[0] : 0);
            at[1] = sums[i][j][1] + (work.accumulate ? at[1] : 0);
        }
    }
}

/// partial[2 slice + column half][part][m] = sum over columns (z, y) of Z Y sum_x X coefficients
__global__ void double_forward_kernel(const __grid_constant__ DoubleSums work) {
    __shared__ SharedMemory shared;
    const Tiling& tiling = work.tiling;
    const WarpPlace place;
    const int thread = static_cast<int>(threadIdx.x);
    const int part = static_cast<int>(blockIdx.y);
    const Index first_sample = Index{blockIdx.x} * tile_size;
    const Index columns = Index{tiling.axis[2].extent} * tiling.y_padded;  // of one part
    const Index tiles = (columns + tile_size - 1) / tile_size;
    const Index first_tile = tiles * blockIdx.z / work.slices;
    const Index last_tile = tiles * (blockIdx.z + 1) / work.slices;
    double totals[4] = {};
    for (Index tile = first_tile; tile < last_tile; ++tile) {
        double sums[4][4][2] = {};
        for (int x = 0; x < tiling.x_padded; x += depth) {
            __syncthreads();
            for (int i = thread; i < tile_size * depth; i += block_threads) {
                shared.a[i % tile_size][i / tile_size] =
                    work.x_factors[(x + i / tile_size) * work.padded + first_sample + i % tile_size];
                const Index column = tile * tile_size + i / depth;
                shared.b[i / depth][i % depth] =
                    column < columns ? work.sums[(part * columns + column) * tiling.x_padded + x + i % depth] : 0;
            }
            __syncthreads();
            multiply(shared, place, sums);
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const Index m = first_sample + place.row + i * 8 + place.lane / 4;
            double sum = 0;
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                const Index column = tile * tile_size + place.column + j / 2 * 8 + place.lane % 4 * 2 + j % 2;
                if (column < columns) {
                    sum += sums[i][j / 2][j % 2] * work.z_factors[column / tiling.y_padded * work.padded + m] *
                           work.y_factors[column % tiling.y_padded * work.padded + m];
                }
            }
            totals[i] += sum;
        }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        totals[i] += __shfl_xor_sync(0xFFFFFFFFU, totals[i], 1);
        totals[i] += __shfl_xor_sync(0xFFFFFFFFU, totals[i], 2);
        if (place.lane % 4 == 0) {
            const Index piece = Index{blockIdx.z} * 2 + place.column / 32;
            work.partial[(piece * tiling.parts + part) * work.padded + first_sample + place.row + i * 8 +
                         place.lane / 4] = totals[i];
        }
    }
}

/// factors[e][m], zero beyond the axis and beyond the samples
__global__ void make_factors_kernel(const double* k, HalfAxis axis, int rows, Chunk chunk, Index padded,
                                    double* factors) {
    for (Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x; n < rows * padded;
         n += Index{gridDim.x} * blockDim.x) {
        const int e = static_cast<int>(n / padded);
        const Index i = n % padded;
        factors[n] = e < axis.extent && i < chunk.count ? axis.factor_double(k[chunk.first + i], e) : 0;
    }
}

/// w[(part, z)][m] = part of samples exp(i 2 pi fold), times the z factor
__global__ void make_double_rows_kernel(Positions positions, Fold fold, Tiling tiling,
                                        const DeviceComplex<double>* samples, Chunk chunk, const double* z_factors,
                                        Index padded, double* w) {
    const Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    const int u = static_cast<int>(blockIdx.y);
    if (i >= padded) {
        return;
    }
    double value = 0;
    if (u < tiling.u_count() && i < chunk.count) {
        const int part = u / tiling.axis[2].extent;
        const Index m = chunk.first + i;
        double sine = 0;
        double cosine = 0;
        sincospi(2 * fold.turns(positions, m), &sine, &cosine);
        const auto folded = samples[part / 2 * positions.count + m] * DeviceComplex<double>{cosine, sine};
        value = (part % 2 == 0 ? folded.re : folded.im) * z_factors[u % tiling.axis[2].extent * padded + i];
    }
    w[u * padded + i] = value;
}

__global__ void unfold_double_sums_kernel(Tiling tiling, const double* sums, int slices, DeviceComplex<double>* image) {
    unfold_octant(
        tiling, sums, slices, [](int) { return 1.0; }, image);
}

__global__ void fold_double_image_kernel(Tiling tiling, const DeviceComplex<double>* image, double* coefficients) {
    fold_octant(
        tiling.axis, image, [](int) { return 1.0; },
        [=](int batch, int z, int y, int x, const DeviceComplex<double>& coefficient) {
            const Index u = Index{2 * batch} * tiling.axis[2].extent + z;
            double* re = coefficients + (u * tiling.y_padded + y) * tiling.x_padded + x;
            re[0] = coefficient.re;
            re[Index{tiling.axis[2].extent} * tiling.y_padded * tiling.x_padded] = coefficient.im;
        });
}

__global__ void unfold_double_samples_kernel(Positions positions, Fold fold, DoubleSums work, Chunk chunk,
                                             DeviceComplex<double>* samples) {
    const Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    const int batch = static_cast<int>(blockIdx.y);
    if (i >= chunk.count) {
        return;
    }
    double sine = 0;
    double cosine = 0;
    sincospi(-2 * fold.turns(positions, chunk.first + i), &sine, &cosine);
    DeviceComplex<double> sum{0, 0};
    for (int piece = 0; piece < 2 * work.slices; ++piece) {
        const double* partial = work.partial + (Index{piece} * work.tiling.parts + 2 * batch) * work.padded + i;
        sum = sum + DeviceComplex<double>{partial[0], partial[work.padded]};
    }
    samples[batch * positions.count + chunk.first + i] = sum * DeviceComplex<double>{cosine, sine};
}

constexpr unsigned octant_threads = 64;

}  // namespace

void make_double_factors(const Positions& positions, const Tiling& tiling, Chunk chunk, Index padded, double* x,
                         double* y, double* z, cudaStream_t stream) {
    const int rows[3] = {tiling.x_padded, tiling.y_padded, tiling.axis[2].extent};
    double* factors[3] = {x, y, z};
    for (int a = 0; a < 3; ++a) {
        make_factors_kernel<<<1024, 256, 0, stream>>>(positions.k[a], tiling.axis[a], rows[a], chunk, padded,
                                                      factors[a]);
        check_launch();
    }
}

void make_double_rows(const Positions& positions, const Fold& fold, const Tiling& tiling,
                      const DeviceComplex<double>* samples, Chunk chunk, const double* z_factors, Index padded,
                      double* w, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>((padded + 255) / 256), static_cast<unsigned>(tiling.u_padded));
    make_double_rows_kernel<<<grid, 256, 0, stream>>>(positions, fold, tiling, samples, chunk, z_factors, padded, w);
    check_launch();
}

void double_adjoint(const DoubleSums& work, cudaStream_t stream) {
    const Tiling& tiling = work.tiling;
    const dim3 grid(static_cast<unsigned>(Index{tiling.u_padded} * tiling.y_padded / tile_size),
                    static_cast<unsigned>(tiling.x_padded / tile_size), static_cast<unsigned>(work.slices));
    double_adjoint_kernel<<<grid, block_threads, 0, stream>>>(work);
    check_launch();
}

void unfold_double_sums(const Tiling& tiling, const double* sums, int slices, DeviceComplex<double>* image,
                        cudaStream_t stream) {
    unfold_double_sums_kernel<<<octant_grid(tiling.axis, tiling.parts / 2, octant_threads), octant_threads, 0,
                                stream>>>(tiling, sums, slices, image);
    check_launch();
}

void fold_double_image(const Tiling& tiling, const DeviceComplex<double>* image, double* coefficients,
                       cudaStream_t stream) {
    check(cudaMemsetAsync(coefficients, 0, static_cast<std::size_t>(tiling.sums_size()) * sizeof(double), stream));
    fold_double_image_kernel<<<octant_grid(tiling.axis, tiling.parts / 2, octant_threads), octant_threads, 0, stream>>>(
        tiling, image, coefficients);
    check_launch();
}

void double_forward(const DoubleSums& work, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>(work.padded / tile_size), static_cast<unsigned>(work.tiling.parts),
                    static_cast<unsigned>(work.slices));
    double_forward_kernel<<<grid, block_threads, 0, stream>>>(work);
    check_launch();
}

void unfold_double_samples(const Positions& positions, const Fold& fold, const DoubleSums& work, Chunk chunk,
                           DeviceComplex<double>* samples, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>((chunk.count + 255) / 256), static_cast<unsigned>(work.tiling.parts / 2));
    unfold_double_samples_kernel<<<grid, 256, 0, stream>>>(positions, fold, work, chunk, samples);
    check_launch();
}

}  // namespace recon::exact_sums
