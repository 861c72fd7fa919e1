#pragma once

#include "core/backend.hpp"

namespace recon {

/// What a GPU reaches on the simplest work of each kind, measured just now: what real work can be held against.
struct DeviceCeilings {
    double copy_bytes_per_s = 0;         ///< read and written, by a copy much larger than the caches
    double shared_bytes_per_s = 0;       ///< read and written in shared memory, conflict-free
    double fp32_flops = 0;               ///< fused multiply-adds in registers, two operations each
    double special_functions_per_s = 0;  ///< hardware sines and cosines
    double tensor_flops = 0;             ///< cuBLAS product of half-precision matrices, accumulated in single precision
};

/// Takes some tens of milliseconds and 2 GB of the device's memory.
/// @throws UsageError if `cuda` is no CUDA backend
DeviceCeilings measure_ceilings(Backend& cuda);

}  // namespace recon
