#pragma once

#include <string>

#include "core/fourier/gridding_kernel.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "core/processor/cpu_costs.hpp"

namespace recon {

/// Sizes and kernel of a NUFFT: of all that meet the tolerance, the one with the least predicted time.
/// (docs/nufft.md, docs/decisions/0004-gridding-kernel.md)
struct NufftDesign {
    PerAxis<Index> grid_size;  ///< of the form 2^a 3^b 5^c; 1 along axes of a single voxel
    GriddingKernel kernel;
    double predicted_error = 0;    ///< relative L2: aliasing of the kernel and rounding
    double predicted_seconds = 0;  ///< of one transform of one image, with all threads of the processor

    /// @param tolerance  relative L2 error of a transform; @param grid  position and size of the image
    /// @param costs  by which sizes and kernels are compared
    /// @throws UsageError if the tolerance is not positive, or cannot be met in this precision
    static NufftDesign best(const VoxelGrid& grid, Index sample_count, double tolerance, Precision precision,
                            const CpuCosts& costs = {});

    std::string text() const;  ///< "grid 160 x 160 x 160, kernel width 7"
};

/// Seconds for `transform_count` transforms with one plan, the making of the plan included, with all threads of the
/// processor: operation counts of the method by cpu_costs().
double predicted_cpu_nufft_seconds(const NufftDesign& design, Index sample_count, Index transform_count,
                                   Precision precision);

}  // namespace recon
