#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/devices/team.hpp"
#include "gpu/ladder/ladder_step.hpp"

namespace recon::stone {

/// The CPU and, where there is one, the GPU of a study.
class StudyDevices {
public:
    /// @param device  "auto", "cpu" or "cuda:N". @throws BackendUnavailable if a GPU that was named is not there
    StudyDevices(const std::string& device, int thread_count);

    Backend& cpu() const { return *cpu_; }
    Backend* gpu() const { return gpu_.get(); }  ///< null: none
    Backend& best() const { return gpu_ ? *gpu_ : *cpu_; }
    const ladder::Devices& for_steps() const { return for_steps_; }
    /// What the GPU is, or why there is none.
    std::string gpu_text() const { return gpu_ ? gpu_->description() : for_steps_.no_gpu; }

private:
    std::unique_ptr<Backend> cpu_;
    std::unique_ptr<Backend> gpu_;
    ladder::Devices for_steps_;
};

/// Whether a step of the ladder makes rows here. Left out: those that need several GPUs, which [Stone 2008] had not,
/// those that are wrong on purpose, and the atomic ones, which need no better proof that they are the wrong way.
bool belongs(const ladder::Step& step);

}  // namespace recon::stone
