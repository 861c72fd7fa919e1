#pragma once

#include <memory>

#include "core/backend/backend.hpp"

namespace recon {

/// How a Toeplitz plan on the GPU works; the defaults are what Backend::make_toeplitz uses. For tests and benchmarks.
struct GpuToeplitzOptions {
    /// Most bytes of the intermediate numbers that the passes along y and z share; 0: 1 GiB. Slabs that fit the L2
    /// cache move fewer bytes, but are slower: the launches are too small to fill the device (measured on an H200).
    Index slab_bytes = 0;
    /// Transform the whole doubled grid by cuFFT, zeros included.
    bool full_grid = false;
};

/// As Backend::make_toeplitz. @throws BackendUnavailable if `backend` is not a CUDA backend
std::unique_ptr<ToeplitzPlan> make_cuda_toeplitz(Backend& backend, const Shape& image_shape, ConstArrayView q,
                                                 Precision precision, const GpuToeplitzOptions& options,
                                                 std::optional<Array> modulation = std::nullopt);

}  // namespace recon
