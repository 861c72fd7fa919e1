// Mirrors core/backend/cpu/cpu_local_low_rank.cpp, with Jacobi's method for the eigenvectors: a block of threads for
// each block of voxels.
#include <algorithm>
#include <optional>

#include "gpu/device/device_complex.cuh"
#include "gpu/primitives/cuda_image_primitives.cuh"

namespace recon {
namespace {

using DeviceDouble = DeviceComplex<double>;

constexpr int threads = 128;
constexpr int most_sweeps = 20;              ///< six to ten are the rule
constexpr std::size_t shared_bytes = 40960;  ///< of matrices that are kept there; every device has it
constexpr Index most_blocks_with_scratch = 512;  ///< more than run at once

/// Jacobi's rotation that makes elements (p, q) and (q, p) zero: J = [c, s; -s e, c e], e = conj(a_pq) / |a_pq|.
struct Rotation {
    int p;
    int q;  ///< negative: none
    double c;
    double s;
    DeviceDouble e;
};

/// Pair `pair` of round `round`, 0 <= round < players - 1: a round-robin tournament in which all meet all. `players`
/// is even; the last one is not there if the count is odd.
__device__ void pair_of_round(int players, int round, int pair, int& p, int& q) {
    const int others = players - 1;
    const int a = pair == 0 ? others : (round + pair) % others;
    const int b = (round + others - pair) % others;
    p = min(a, b);
    q = max(a, b);
}

__device__ Rotation rotation_of(const DeviceDouble* a, int count, int p, int q, double negligible, int* rotated) {
    Rotation rotation{p, -1, 1, 0, {1, 0}};
    if (q >= count) {
        return rotation;
    }
    const DeviceDouble a_pq = a[p * count + q];
    const double magnitude = hypot(a_pq.re, a_pq.im);
    if (!(magnitude > negligible)) {
        return rotation;
    }
    *rotated = 1;
    const double tau = (a[q * count + q].re - a[p * count + p].re) / (2 * magnitude);  // [Golub 2013, section 8.5.2]
    const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
    rotation.q = q;
    rotation.c = 1 / sqrt(1 + t * t);
    rotation.s = t * rotation.c;
    rotation.e = {a_pq.re / magnitude, -a_pq.im / magnitude};
    return rotation;
}

/// [m_p m_q] = [m_p m_q] J for one row of a matrix stored by rows.
__device__ void rotate_columns(const Rotation& r, DeviceDouble* row) {
    const DeviceDouble m_p = row[r.p];
    const DeviceDouble m_q = r.e * row[r.q];
    row[r.p] = r.c * m_p - r.s * m_q;
    row[r.q] = r.s * m_p + r.c * m_q;
}

/// The rows p and q of J^H A, one column.
__device__ void rotate_rows(const Rotation& r, int count, DeviceDouble* column) {
    const DeviceDouble a_p = column[r.p * count];
    const DeviceDouble a_q = conj(r.e) * column[r.q * count];
    column[r.p * count] = r.c * a_p - r.s * a_q;
    column[r.q * count] = r.s * a_p + r.c * a_q;
}

/// Diagonalises the Hermitian A [count, count], in place, and accumulates V, by sweeps of rotations, those of a round
/// at once. All threads of the block call it.
__device__ void jacobi(DeviceDouble* a, DeviceDouble* v, Rotation* rotations, int count) {
    __shared__ int rotated;
    __shared__ double negligible;
    const int players = count + count % 2;
    const int pairs = players / 2;
    for (int i = threadIdx.x; i < count * count; i += threads) {
        v[i] = {i % count == i / count ? 1.0 : 0.0, 0};
    }
    if (threadIdx.x == 0) {
        double trace = 0;
        for (int i = 0; i < count; ++i) {
            trace += a[i * count + i].re;
        }
        negligible = 1e-15 * trace;
    }
    for (int sweep = 0; sweep < most_sweeps && count > 1; ++sweep) {
        __syncthreads();
        if (threadIdx.x == 0) {
            rotated = 0;
        }
        __syncthreads();
        for (int round = 0; round < players - 1; ++round) {
            for (int pair = threadIdx.x; pair < pairs; pair += threads) {
                int p = 0;
                int q = 0;
                pair_of_round(players, round, pair, p, q);
                rotations[pair] = rotation_of(a, count, p, q, negligible, &rotated);
            }
            __syncthreads();
            for (int task = threadIdx.x; task < pairs * count; task += threads) {
                const Rotation& rotation = rotations[task / count];
                if (rotation.q >= 0) {
                    rotate_columns(rotation, a + task % count * count);
                    rotate_columns(rotation, v + task % count * count);
                }
            }
            __syncthreads();
            for (int task = threadIdx.x; task < pairs * count; task += threads) {
                const Rotation& rotation = rotations[task / count];
                if (rotation.q >= 0) {
                    rotate_rows(rotation, count, a + task % count);
                }
            }
            __syncthreads();
        }
        if (!rotated) {  // the same for all: written before the last barrier
            break;
        }
    }
    __syncthreads();
}

/// Bytes of A, V, rotations and factors of one block, a whole number of aligned elements.
std::size_t matrix_bytes(Index count) {
    const std::size_t bytes =
        2 * count * count * sizeof(DeviceDouble) + (count + 1) / 2 * sizeof(Rotation) + count * sizeof(double);
    return (bytes + sizeof(DeviceDouble) - 1) / sizeof(DeviceDouble) * sizeof(DeviceDouble);
}

/// @param scratch  matrix_bytes for each block of threads; none: in shared memory
template <class T>
__global__ void shrink_kernel(double threshold, BlockGrid blocks, const DeviceComplex<T>* x, Index image_size,
                              int frame_count, char* scratch, std::size_t scratch_bytes, DeviceComplex<T>* y,
                              DeviceDouble* block_norms) {
    extern __shared__ double2 shared[];
    char* memory = scratch ? scratch + blockIdx.x * scratch_bytes : reinterpret_cast<char*>(shared);
    DeviceDouble* a = reinterpret_cast<DeviceDouble*>(memory);
    DeviceDouble* v = a + frame_count * frame_count;
    Rotation* rotations = reinterpret_cast<Rotation*>(v + frame_count * frame_count);
    double* factors = reinterpret_cast<double*>(rotations + (frame_count + 1) / 2);
    const int elements = frame_count * frame_count;
    for (Index block = blockIdx.x; block < blocks.count(); block += gridDim.x) {
        const BlockGrid::Box box = blocks.box(block);
        const Index voxel_count = box.voxel_count();
        for (int element = threadIdx.x; element < elements; element += threads) {  // A = M^H M
            const DeviceComplex<T>* column_p = x + element / frame_count * image_size;
            const DeviceComplex<T>* column_q = x + element % frame_count * image_size;
            DeviceDouble sum{0, 0};
            for (Index n = 0; n < voxel_count; ++n) {
                const Index voxel = box.voxel(n, blocks.matrix_size);
                const DeviceComplex<T> m_p = column_p[voxel];
                const DeviceComplex<T> m_q = column_q[voxel];
                sum = multiply_add(DeviceDouble{m_p.re, -m_p.im}, DeviceDouble{m_q.re, m_q.im}, sum);
            }
            a[element] = sum;
        }
        __syncthreads();
        jacobi(a, v, rotations, frame_count);

        const double weight = sqrt(static_cast<double>(voxel_count)) + sqrt(static_cast<double>(frame_count));
        if (threadIdx.x == 0) {
            double sum = 0;
            for (int i = 0; i < frame_count; ++i) {
                const double square = a[i * frame_count + i].re;
                const double singular = square > 0 ? sqrt(square) : 0;
                sum += singular;
                factors[i] = singular > weight * threshold ? 1 - weight * threshold / singular : 0;
            }
            block_norms[block] = {weight * sum, 0};
        }
        __syncthreads();
        for (int element = threadIdx.x; element < elements; element += threads) {  // A = V diag(factors) V^H
            const DeviceDouble* row = v + element / frame_count * frame_count;
            const DeviceDouble* column = v + element % frame_count * frame_count;
            DeviceDouble sum{0, 0};
            for (int i = 0; i < frame_count; ++i) {
                sum = multiply_add(factors[i] * row[i], conj(column[i]), sum);
            }
            a[element] = sum;
        }
        __syncthreads();
        for (Index task = threadIdx.x; task < voxel_count * frame_count; task += threads) {
            const Index voxel = box.voxel(task % voxel_count, blocks.matrix_size);
            const int frame = static_cast<int>(task / voxel_count);
            DeviceDouble sum{0, 0};
            for (int other = 0; other < frame_count; ++other) {
                const DeviceComplex<T> m = x[other * image_size + voxel];
                sum = multiply_add(DeviceDouble{m.re, m.im}, a[other * frame_count + frame], sum);
            }
            y[frame * image_size + voxel] = {static_cast<T>(sum.re), static_cast<T>(sum.im)};
        }
        __syncthreads();
    }
}

}  // namespace

/// U max(0, S - t) V^H = M V diag(max(0, 1 - t / s)) V^H, with V and s^2 from A = M^H M. In double, so that of s what
/// is above 1e-8 of the largest is right.
void CudaImagePrimitives::do_shrink_singular_values(double threshold, const BlockGrid& blocks, ConstArrayView x,
                                                    ArrayView y, ArrayView block_norms) const {
    const Index frame_count = x.shape().extent(3);
    const std::size_t bytes = matrix_bytes(frame_count);
    const bool in_shared = bytes <= shared_bytes;
    constexpr Index most_blocks = 1 << 16;
    const Index block_count = std::min(blocks.count(), in_shared ? most_blocks : most_blocks_with_scratch);
    std::optional<Array> scratch;
    if (!in_shared) {
        const auto elements = static_cast<Index>(bytes / sizeof(DeviceDouble));
        scratch.emplace(x.backend(), Shape{{"element", elements * block_count}}, Precision::double_);
    }
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        shrink_kernel<T><<<static_cast<unsigned>(block_count), threads, in_shared ? bytes : 0, queue_->stream()>>>(
            threshold, blocks, as_device(x.data<T>()), x.size() / frame_count, static_cast<int>(frame_count),
            scratch ? reinterpret_cast<char*>(scratch->view().data<double>()) : nullptr, bytes, as_device(y.data<T>()),
            as_device(block_norms.data<double>()));
    });
    check_launch();
}

std::size_t CudaImagePrimitives::singular_values_bytes(Index frame_count, Index block_count) {
    const std::size_t bytes = matrix_bytes(frame_count);
    return bytes <= shared_bytes ? 0
                                 : bytes * static_cast<std::size_t>(std::min(block_count, most_blocks_with_scratch));
}

}  // namespace recon
