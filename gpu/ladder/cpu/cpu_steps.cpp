#include "gpu/ladder/cpu/cpu_steps.hpp"

#include <chrono>

namespace recon::ladder {

StepRun timed_on_cpu(const Problem& problem, int repeats, const std::function<void(std::vector<cfloat>&)>& sums) {
    StepRun result;
    result.values.resize(problem.voxel_count());
    for (int i = 0; i < repeats; ++i) {
        const auto start = std::chrono::steady_clock::now();
        sums(result.values);
        result.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return result;
}

std::vector<Step> cpu_steps() {
    return {cpu_double_step(), cpu_single_step(), cpu_threads_step(), cpu_separable_step()};
}

}  // namespace recon::ladder
