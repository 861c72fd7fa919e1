#pragma once

#include "gpu/gridding/gridding_layout.cuh"

namespace recon {

/// How the lanes of a warp share the vectors that one sample touches in a tile: those of a plane first, then as many
/// planes as still fit; `rounds` vectors a lane where a plane has more than 32. `planes` is the kernel's width in 3-D,
/// otherwise 1.
template <class T, int rounds, int planes>
struct SampleLanes {
    /// Planes that one instruction moves, known where the width is.
    static constexpr int planes_at_once = planes > 1 && vectors_of_row<T>(planes) * planes < 32
                                              ? 32 / (vectors_of_row<T>(planes) * planes)
                                              : 1;
    static constexpr int steps = (planes + planes_at_once - 1) / planes_at_once;
    static constexpr int weights_of_z = (planes + 3) / 4 * 4;

    int vector[rounds];  ///< in its row
    int row[rounds];
    int plane;
    int offset[rounds];  ///< elements
    bool active[rounds];

    __device__ explicit SampleLanes(const GriddingLayout<T>& layout) {
        const int vectors = vectors_of_row<T>(layout.points[0]);
        const int plane_size = vectors * layout.points[1];
        plane = planes_at_once > 1 ? threadIdx.x % 32 / plane_size : 0;
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            const int i = planes_at_once > 1 ? threadIdx.x % 32 % plane_size : threadIdx.x % 32 + 32 * r;
            active[r] = i < plane_size && plane < min(planes_at_once, planes);
            vector[r] = active[r] ? i % vectors : 0;
            row[r] = active[r] ? i / vectors : 0;
            offset[r] = plane * layout.plane_stride + row[r] * layout.row_stride + vector[r] * PointVector<T>::size;
        }
    }

    /// Whether the lane has a plane in this step.
    __device__ bool takes_part(int step) const {
        return (step + 1) * planes_at_once <= planes || step * planes_at_once + plane < planes;
    }
};

/// Up to 32 samples of a warp, with the weights of the kernel along each axis, in shared memory.
template <class T, int planes>
class SampleChunk {
public:
    using Complex = DeviceComplex<T>;
    using Vector = PointVector<T>;
    static constexpr int size = 32;
    static constexpr int weights_of_z = SampleLanes<T, 1, planes>::weights_of_z;

    /// The weights of x for the points of one vector; 0 for points that the kernel does not reach.
    struct alignas(Vector::size * sizeof(T)) RowWeights {
        T of_point[Vector::size];
    };

    static __host__ __device__ std::size_t bytes(const GriddingLayout<T>& layout) {
        const int vectors = vectors_of_row<T>(layout.points[0]);
        const std::size_t used = planes_bytes() + size * (sizeof(Complex) + sizeof(int)) +
                                 stride * (vectors * sizeof(RowWeights) + layout.points[1] * sizeof(T));
        return (used + 31) / 16 * 16;  // a sample may be read behind the last one
    }

    __device__ SampleChunk(const GriddingLayout<T>& layout, unsigned char* memory) : layout_(layout) {
        z_ = reinterpret_cast<T*>(memory);
        value_ = reinterpret_cast<Complex*>(memory + planes_bytes());
        x_ = reinterpret_cast<RowWeights*>(value_ + size);
        y_ = reinterpret_cast<T*>(x_ + stride * vectors_of_row<T>(layout.points[0]));
        offset_ = reinterpret_cast<int*>(y_ + stride * layout.points[1]);
    }

    /// Weights of one sample a lane: sum_p coefficient[p] t^p.
    __device__ void make_weights(const GriddingPlace<T>& place) {
        const int lane = threadIdx.x % 32;
        const int width = layout_.points[0];
        const int shift = place.local_offset % Vector::size;  // from the vector's first point to the kernel's
        offset_[lane] = place.local_offset - shift;
        for (int extra = 0; extra < vectors_of_row<T>(width) * Vector::size - width; ++extra) {
            x_point(extra < shift ? extra : width + extra, lane) = 0;
        }
        constexpr int batch = planes > 1 ? planes : 4;
        for (int first = 0; first < (planes > 1 ? planes : width); first += batch) {
            T sum[3][batch]{};
            for (int power = layout_.degree; power >= 0; --power) {
#pragma unroll
                for (int i = 0; i < batch; ++i) {
                    const T c = layout_.coefficient[power * width + (planes > 1 ? i : min(first + i, width - 1))];
#pragma unroll
                    for (int axis = 0; axis < (planes > 1 ? 3 : 2); ++axis) {
                        sum[axis][i] = sum[axis][i] * place.polynomial_t[axis] + c;
                    }
                }
            }
#pragma unroll
            for (int i = 0; i < batch; ++i) {
                if (planes > 1 || first + i < width) {
                    x_point(first + i + shift, lane) = sum[0][i];
                    if (planes > 1 || first + i < layout_.points[1]) {
                        y_[(first + i) * stride + lane] = layout_.points[1] > 1 ? sum[1][i] : T{1};
                    }
                }
            }
            if constexpr (planes > 1) {
                store_z(sum[2], lane);
            }
        }
    }

    __device__ int offset(int sample) const { return offset_[sample]; }
    __device__ Complex& value(int sample) const { return value_[sample]; }
    __device__ RowWeights x(int vector, int sample) const { return x_[vector * stride + sample]; }
    __device__ T y(int row, int sample) const { return y_[row * stride + sample]; }
    __device__ T z(int plane, int sample) const { return z_[sample * weights_of_z + plane]; }

    /// All weights of z of a sample, by as few instructions as can be.
    __device__ void all_z(int sample, T (&weight)[weights_of_z]) const {
        constexpr int length = 16 / sizeof(T);
        struct alignas(16) Quarter {
            T value[length];
        };
#pragma unroll
        for (int first = 0; first < weights_of_z; first += length) {
            const Quarter quarter = *reinterpret_cast<const Quarter*>(&z_[sample * weights_of_z + first]);
#pragma unroll
            for (int i = 0; i < length; ++i) {
                weight[first + i] = quarter.value[i];
            }
        }
    }

private:
    static constexpr int stride = size + 1;  ///< so that lanes that read different points meet different banks

    static constexpr std::size_t planes_bytes() { return planes > 1 ? size * weights_of_z * sizeof(T) : 0; }

    __device__ T& x_point(int point, int sample) const {
        return x_[point / Vector::size * stride + sample].of_point[point % Vector::size];
    }

    template <int count>
    __device__ void store_z(const T (&weight)[count], int sample) const {
        constexpr int length = 16 / sizeof(T);
        struct alignas(16) Quarter {
            T value[length];
        };
#pragma unroll
        for (int first = 0; first < count; first += length) {
            Quarter quarter{};
#pragma unroll
            for (int i = 0; i < length && first + i < count; ++i) {
                quarter.value[i] = weight[first + i];
            }
            *reinterpret_cast<Quarter*>(&z_[sample * weights_of_z + first]) = quarter;
        }
    }

    const GriddingLayout<T>& layout_;
    T* z_;            ///< [sample][plane]
    Complex* value_;  ///< [sample]
    RowWeights* x_;   ///< [vector][sample]
    T* y_;            ///< [row][sample]
    int* offset_;     ///< [sample], of the first vector in the tile
};

}  // namespace recon
