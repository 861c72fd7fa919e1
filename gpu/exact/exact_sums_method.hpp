#pragma once

#include <memory>

#include "core/backend/backend.hpp"

namespace recon {

/// Ways to compute exact sums in single precision on a GPU; in double there is one.
enum class ExactSumsMethod {
    automatic,          ///< the cheapest by the cost model
    warp_group_matrix,  ///< tensor cores by the instructions of compute capability 9.0
    warp_matrix,        ///< tensor cores by those of 8.0 and later
    special_functions,  ///< a sine and a cosine for every pair
};

/// Exact sums of a CUDA backend by a given method, for tests and benchmarks; Backend::make_exact_sums is `automatic`.
/// @throws UsageError if the device cannot do it
std::unique_ptr<FourierSums> make_cuda_exact_sums(Backend& cuda, const Trajectory& trajectory, const VoxelGrid& grid,
                                                  Precision precision, ExactSumsMethod method);

}  // namespace recon
