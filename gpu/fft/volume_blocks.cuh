#pragma once

#include "gpu/fft/pencil_fft.cuh"

namespace recon {

/// Blocks of kernels for any length that the compiler keeps registers free for: a pass waits for memory, and other
/// blocks fill the time.
template <class T>
constexpr int blocks_of_any_length = sizeof(T) == sizeof(float) ? 3 : 1;

extern __shared__ unsigned char shared_bytes[];

template <class T, int lanes = 1>
__device__ Neighbours<DeviceComplex<T>, lanes>* shared_pencils() {
    return reinterpret_cast<Neighbours<DeviceComplex<T>, lanes>*>(shared_bytes);
}

/// (i + first) modulo extent, for 0 <= i, first < extent.
__device__ inline int wrapped(int i, int first, int extent) {
    const int sum = i + first;
    return sum < extent ? sum : sum - extent;
}
/// The image index at grid index `i`: the inverse of `wrapped`; it may lie outside the image.
__device__ inline int unwrapped(int i, int first, int extent) { return i < first ? i - first + extent : i - first; }

}  // namespace recon
