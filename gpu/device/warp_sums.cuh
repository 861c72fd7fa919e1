#pragma once

namespace recon {

/// Sums over the warp of `count` numbers of each lane, count a power of two up to 32: in lane l the sum of number
/// l / (32 / count). Each step halves the numbers that a lane still looks after.
template <int count, class T>
__device__ T warp_sums(T (&value)[count]) {
    int distance = 16;
#pragma unroll
    for (int half = count / 2; half > 0; half /= 2) {
        const bool upper = threadIdx.x & distance;
#pragma unroll
        for (int i = 0; i < half; ++i) {
            const T sent = upper ? value[i] : value[i + half];
            value[i] = (upper ? value[i + half] : value[i]) + __shfl_xor_sync(~0u, sent, distance);
        }
        distance /= 2;
    }
    for (; distance > 0; distance /= 2) {
        value[0] += __shfl_xor_sync(~0u, value[0], distance);
    }
    return value[0];
}

}  // namespace recon
