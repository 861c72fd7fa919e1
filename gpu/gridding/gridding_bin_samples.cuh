#pragma once

#include <cuda_fp16.h>

#include "gpu/gridding/gridding_bins.cuh"
#include "gpu/gridding/gridding_layout.cuh"

namespace recon {

/// By what numbers are multiplied, a power of two, so that halves hold the largest of them and what is added up.
class HalfScale {
public:
    /// @param peak  the largest modulus, 0 or more
    __device__ explicit HalfScale(float peak) {
        constexpr int largest_exponent = 14, most = 126;
        const int exponent = peak > 0 ? min(largest_exponent - ilogbf(peak), most) : 0;
        scale = ldexpf(1, exponent);
        inverse = ldexpf(1, -exponent);
    }

    float scale;
    float inverse;
};

/// Two numbers, each as a sum of two halves.
struct SplitPair {
    __half2 high;
    __half2 low;

    __device__ SplitPair(float a, float b) : high(__floats2half2_rn(a, b)) {
        low = __floats2half2_rn(a - __low2float(high), b - __high2float(high));
    }
};

__device__ inline std::uint32_t bits_of(__half2 pair) { return reinterpret_cast<const std::uint32_t&>(pair); }

/// Weights of the kernel along one axis: sum_p coefficient[p] t^p. That of a point is, at -t, the one of the point
/// opposite: even and odd powers serve both.
template <int width>
__device__ void kernel_weights(const GriddingLayout<float>& layout, float t, float (&weight)[width]) {
    constexpr int degree = GriddingBins::most_degree(width);
    const float squared = t * t;
#pragma unroll
    for (int i = 0; i < (width + 1) / 2; ++i) {
        const auto sum_of_powers = [&](int first) {
            float sum = 0;
#pragma unroll
            for (int power = (degree - first) / 2 * 2 + first; power >= 0; power -= 2) {
                sum = sum * squared + layout.coefficient[power * width + i];
            }
            return sum;
        };
        const float even = sum_of_powers(0);
        const float odd = 2 * i + 1 == width ? 0 : t * sum_of_powers(1);
        weight[i] = even + odd;
        weight[width - 1 - i] = even - odd;
    }
}

/// Zeros for `count` times 16 bytes of shared memory, a multiple of 32, by a warp.
template <int count>
__device__ void clear_shared(void* block) {
    static_assert(count % 32 == 0);
#pragma unroll
    for (int i = 0; i < count; i += 32) {
        static_cast<uint4*>(block)[i + threadIdx.x % 32] = {0, 0, 0, 0};
    }
}

/// The groups of a part, two at a time: lanes 0 to 15 have the samples of the first one, the others those of the
/// second. Memory answers while pairs before are worked on.
class GroupPairs {
public:
    struct Sample {
        GriddingPlace<float> place{};
        std::uint32_t source = 0;
        std::uint32_t window = 0;  ///< its first cell in the tile
        bool is_there = false;     ///< else it is another one of the scan

        /// Point of the window that the kernel begins at.
        __device__ int first(int axis) const {
            return (static_cast<std::uint32_t>(place.local_offset) - window) >> 8 * axis & 255;
        }
    };

    /// @param step  from a pair to the warp's next one
    __device__ GroupPairs(const GriddingLayout<float>& layout, const GriddingPart& part, int first_pair, int step)
        : layout_(layout), part_(part), step_(step), pair_(first_pair) {
        now_ = sample_of(range_of(first_pair), first_pair);
        next_ = sample_of(range_of(first_pair + step), first_pair + step);
        range_ = range_of(first_pair + 2 * step);
    }

    /// How many of the pair's groups there are.
    __device__ int group_count() const { return min(max(part_.sample_count - 2 * pair_, 0), 2); }
    /// The lane's sample of this pair, and of the next one.
    __device__ const Sample& now() const { return now_; }
    __device__ const Sample& next() const { return next_; }

    __device__ void advance() {
        pair_ += step_;
        now_ = next_;
        next_ = sample_of(range_, pair_ + step_);
        range_ = range_of(pair_ + 2 * step_);
    }

private:
    struct Range {
        GriddingGroup group;
        std::uint32_t end;
    };

    __device__ static int half() { return static_cast<int>(threadIdx.x % 32) / 16; }
    __device__ Range range_of(int pair) const {
        const GriddingGroup* group =
            layout_.groups + part_.first_sample + min(2 * pair + half(), part_.sample_count - 1);
        return {group[0], group[1].first_sample};
    }
    __device__ Sample sample_of(const Range& range, int pair) const {
        const std::uint32_t rank = range.group.first_sample + threadIdx.x % 16;
        const std::uint32_t usable = min(rank, range.end - 1);
        return {layout_.places[usable], layout_.sources[usable], range.group.first_cell,
                2 * pair + half() < part_.sample_count && rank < range.end};
    }

    const GriddingLayout<float>& layout_;
    const GriddingPart& part_;
    int step_;
    int pair_;
    Sample now_;
    Sample next_;
    Range range_;
};

}  // namespace recon
