#pragma once

#include <algorithm>

#include "gpu/gridding/gridding_slab.cuh"

namespace recon {

/// Two such blocks fill a multiprocessor, with registers for both.
inline constexpr int most_gridding_threads = 256;

/// A block's shared memory where a tile does not fit as a whole: some planes of it, and 32 samples with their weights.
template <class T>
class GriddingBlock {
public:
    using Complex = DeviceComplex<T>;
    static constexpr int chunk = 32;  ///< samples whose weights are made at a time

    Complex* values;  ///< of the samples of the chunk
    int* offset;      ///< of each sample: its first point in the tile
    int* first_plane;
    GriddingSlab<T> slab;

    /// Two blocks a multiprocessor.
    static std::size_t most_bytes(const CudaQueue& queue) {
        return std::min(std::size_t{88} << 10, queue.shared_memory_per_block());
    }
    static std::size_t shared_bytes(const GriddingLayout<T>& layout) {
        return (layout.slab_size() + chunk) * sizeof(Complex) + 3 * layout.points[0] * chunk_stride * sizeof(T) +
               2 * chunk * sizeof(int);
    }

    __device__ GriddingBlock(const GriddingLayout<T>& layout, const GriddingPart& part, unsigned char* memory)
        : slab(layout, part, reinterpret_cast<Complex*>(memory)), layout_(layout), part_(part) {
        values = slab.data + layout.slab_size();
        weights_ = reinterpret_cast<T*>(values + chunk);
        offset = reinterpret_cast<int*>(weights_ + 3 * layout.points[0] * chunk_stride);
        first_plane = offset + chunk;
    }

    /// The sample of a lane, the last one where there are no more.
    struct Sample {
        GriddingPlace<T> place;
        Index source;
    };
    __device__ Sample sample_at(int done) const {
        const int rank = min(done + static_cast<int>(threadIdx.x % 32), part_.sample_count - 1);
        return {layout_.places[part_.first_sample + rank], layout_.sources[part_.first_sample + rank]};
    }

    /// Places and weights of a chunk of samples, one a lane: sum_p coefficient[p] t^p.
    __device__ void make_weights(const GriddingPlace<T>& sample) {
        const int lane = threadIdx.x % 32;
        const int warp = threadIdx.x / 32;
        const int warps = blockDim.x / 32;
        if (warp == 0) {
            offset[lane] = sample.local_offset;
            first_plane[lane] = sample.local_offset / layout_.plane_stride;
        }
        const int width = layout_.points[0];
        const T t[3]{sample.polynomial_t[0], sample.polynomial_t[1], sample.polynomial_t[2]};
        for (int point = warp; point < width; point += warps) {
            T sum[3]{0, 0, 0};
            for (int power = layout_.degree; power >= 0; --power) {
                const T c = layout_.coefficient[power * width + point];
                for (int axis = 0; axis < 3; ++axis) {
                    sum[axis] = sum[axis] * t[axis] + c;
                }
            }
            for (int axis = 0; axis < 3; ++axis) {
                weight(axis, point, lane) = layout_.points[axis] > 1 ? sum[axis] : T{1};
            }
        }
    }

    __device__ T& weight(int axis, int point, int sample) {
        return weights_[(axis * layout_.points[0] + point) * chunk_stride + sample];
    }

private:
    static constexpr int chunk_stride = chunk + 1;  ///< so that lanes that read different points meet different banks

    const GriddingLayout<T>& layout_;
    const GriddingPart& part_;
    T* weights_;  ///< [axis][point][sample]
};

}  // namespace recon
