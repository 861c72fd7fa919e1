#pragma once

#include "gpu/ladder/ladder_device.cuh"

namespace recon::ladder {

// The steps of the GPU, each in the file of its name.
Step fused_atomic_step();
Step base_atomic_step();
Step base_step();
Step regalloc_step();
Step layout_global_step();
Step layout_step();
Step constmem_step();
Step constmem_arrays_step();
Step shared_race_step();
Step shared_whole_step();
Step shared_step();
Step fasttrig_step();
Step fasttrig_reduced_step();
Step unroll_2_step();
Step unroll_4_step();
Step unroll_8_step();
Step unroll_16_step();
Step tune_step();
Step slabs_step();
Step multi_voxels_step();
Step multi_samples_step();
Step position_sums_step();
Step special_functions_step();
Step separable_step();
Step separable_tf32_step();
Step split_half_step();
Step double_step();
Step nufft_step();

}  // namespace recon::ladder
