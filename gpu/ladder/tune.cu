// Tune: threads of a block, samples of a launch and unrolling are no independent parameters and the times no smooth
// function of them (a factor of twelve between neighbours on an H200, where the constant cache decides), so all
// combinations are tried and the fastest is kept: experimental tuning.
#include <algorithm>

#include "gpu/ladder/gpu_steps.cuh"
#include "gpu/ladder/tuned_kernel.cuh"

namespace recon::ladder {
namespace {

// A trial fills the device and takes a millisecond or so.
constexpr Index samples_of_a_trial = 2048;
constexpr Index voxels_of_a_trial = 262144;
constexpr int repeats_of_a_trial = 3;

StepRun run(const Devices& devices, const Problem& problem, Sum sum, int repeats) {
    const Problem trial_problem = problem.first_samples(std::min(problem.sample_count(), samples_of_a_trial))
                                      .first_voxels(std::min(problem.voxel_count(), voxels_of_a_trial));
    std::vector<TuningTrial> trials;
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
        for (const Index samples : {32, 64, 128, 256, 512, 1024, 2048}) {
            for (const int unroll : {1, 2, 4, 8, 16}) {
                const Tuning tuning{threads, samples, unroll};
                const StepRun trial = run_tuned(devices, trial_problem, sum, repeats_of_a_trial, tuning);
                trials.push_back({tuning, *std::min_element(trial.seconds.begin(), trial.seconds.end())});
            }
        }
    }
    const auto best = std::min_element(
        trials.begin(), trials.end(), [](const TuningTrial& a, const TuningTrial& b) { return a.seconds < b.seconds; });
    StepRun result = run_tuned(devices, problem, sum, repeats, best->tuning);
    result.remark = text(best->tuning) + ": the fastest of " + std::to_string(trials.size());
    result.trials = std::move(trials);
    return result;
}

}  // namespace

Step tune_step() {
    return {.id = "tune",
            .title = "Tune: the fastest of all launches",
            .change = "threads of a block, samples of a launch and unrolling by trial",
            .bound = "special functions",
            .run = run};
}

}  // namespace recon::ladder
