#pragma once

namespace recon {

/// What a device reaches on the simplest work of each kind, measured just now: what real work can be held against. Zero
/// where the device has no such units.
struct DeviceCeilings {
    double copy_bytes_per_s = 0;    ///< read and written, by a copy much larger than the caches
    double shared_bytes_per_s = 0;  ///< read and written in a GPU's shared memory, free of conflicts
    double fp32_flops = 0;          ///< a product and a sum are two; GPU: in registers, CPU: Eigen's matrix product
    double fp64_flops = 0;          ///< the same in double precision, in registers; GPU
    double special_functions_per_s = 0;  ///< hardware sines and cosines
    double tensor_flops = 0;             ///< cuBLAS product of half-precision matrices, accumulated in single precision
};

}  // namespace recon
