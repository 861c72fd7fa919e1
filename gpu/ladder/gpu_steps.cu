#include "gpu/ladder/gpu_steps.cuh"

namespace recon::ladder {

std::vector<Step> gpu_steps() {
    return {fused_atomic_step(),
            base_atomic_step(),
            base_step(),
            regalloc_step(),
            layout_global_step(),
            layout_step(),
            constmem_step(),
            constmem_arrays_step(),
            shared_race_step(),
            shared_whole_step(),
            shared_step(),
            fasttrig_step(),
            fasttrig_reduced_step(),
            unroll_2_step(),
            unroll_4_step(),
            unroll_8_step(),
            unroll_16_step(),
            tune_step(),
            slabs_step(),
            multi_voxels_step(),
            multi_samples_step(),
            position_sums_step(),
            special_functions_step(),
            separable_step(),
            separable_tf32_step(),
            split_half_step(),
            double_step(),
            nufft_step()};
}

}  // namespace recon::ladder
