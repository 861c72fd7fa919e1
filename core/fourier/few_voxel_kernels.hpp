#pragma once

#include "core/fourier/few_voxel_sums.hpp"
#include "core/processor/cpu_level.hpp"

namespace recon {

// The work of FewVoxelSums, arguments checked, for one level of the processor.
using SumsOfFewVoxels = std::vector<cdouble>(const FewVoxelSums& of, std::span<const double> weights);
using SumsOfEncoding = FewVoxelSums::OfEncoding(const FewVoxelSums& of, std::span<const double> adjoint_weights,
                                                std::span<const cfloat> kspace, Index coil_count,
                                                std::span<const double> normal_weights, Index lit_count);

namespace RECON_CPU_LEVEL {
SumsOfFewVoxels few_voxel_sums;
SumsOfEncoding few_voxel_sums_of_encoding;
}  // namespace RECON_CPU_LEVEL

}  // namespace recon
