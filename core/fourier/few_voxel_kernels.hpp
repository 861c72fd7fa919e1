#pragma once

#include "core/fourier/few_voxel_sums.hpp"
#include "core/processor/cpu_level.hpp"

namespace recon::RECON_CPU_LEVEL {

/// The work of FewVoxelSums, arguments checked, for one level of the processor.
std::vector<cdouble> few_voxel_sums(const FewVoxelSums& of, std::span<const double> weights);
FewVoxelSums::OfEncoding few_voxel_sums_of_encoding(const FewVoxelSums& of, std::span<const double> adjoint_weights,
                                                    std::span<const cfloat> kspace, Index coil_count,
                                                    std::span<const double> normal_weights, Index lit_count);

}  // namespace recon::RECON_CPU_LEVEL
