#pragma once

#include "core/base/types.hpp"

namespace recon {

// Kernels in which all threads take elements in turns: for (Index i = first_element(); i < size; i += element_step())

__device__ inline Index first_element() { return blockIdx.x * Index{blockDim.x} + threadIdx.x; }
__device__ inline Index element_step() { return gridDim.x * Index{blockDim.x}; }

}  // namespace recon
