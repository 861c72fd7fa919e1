#include "gpu/heart/stepwise.cuh"

namespace recon::heart {

std::vector<Step> gpu_steps() {
    std::vector<Step> steps{v1_separate_step(), v2_fused_step(), v3_registers_step()};
    const auto add = [&](std::vector<Step> more) { steps.insert(steps.end(), more.begin(), more.end()); };
    add(v4_shared_steps());
    add({reflected_step(), cooperative_step(), rolling_step(), graph_step()});
    add(blocked_steps());
    add({resident_step(), blocked_single_step(), resident_single_step()});
    add(several_gpus_steps());
    return steps;
}

}  // namespace recon::heart
