#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/backend/device_ceilings.hpp"
#include "gpu/heart/heart_step.hpp"

namespace recon::heart {

/// What `recon ladder` shall climb in the story of the heart.
struct LadderSettings {
    Index size = 1024;               ///< cells along a side of the sheet
    double time = 500;               ///< T, in units of the model
    std::vector<std::string> steps;  ///< ids; empty: all
    int repeat = 3;
    double time_limit_s = 20;  ///< of one run: a slower step is timed on the first steps that fit
    std::string device = "auto";
    int thread_count = 0;
};

/// One way to step, measured.
struct LadderRecord {
    std::string name() const;  ///< of the step, with the number of GPUs where they are several: "several-gpus x 2"

    Step step;
    std::string skipped;    ///< why; empty if it ran
    Index gpu_count = 0;    ///< that stepped it; its bound is that of all of them
    Index timed_steps = 0;  ///< fewer than all where the time limit says so
    int repeats = 0;
    double seconds = 0;           ///< of all steps: the median, extrapolated from those that were timed
    double gflops = 0;            ///< 28 operations a cell and step
    double gb_per_s = 0;          ///< 32 bytes a cell and step, 16 in single precision, whatever the step really moves
    std::string bound;            ///< the unit that is busiest: "memory", "double precision"
    double share = 0;             ///< of its ceiling; above 1 where caches serve what is counted as memory
    double error = 0;             ///< largest difference of E or R from the CPU's after `checked_steps` steps
    double largest = 0;           ///< Linf after `timed_steps`
    double root_mean_square = 0;  ///< L2
};

struct LadderReport {
    Index size = 0;
    double time = 0;
    double dt = 0;
    Index step_count = 0;
    Index checked_steps = 0;
    std::string cpu;
    std::string gpu;  ///< or why there is none
    DeviceCeilings ceilings;
    std::vector<LadderRecord> records;
};

/// @param done  told of every step when it is finished
/// @throws UsageError for a step that does not exist, or a sheet that cannot be
LadderReport climb(const LadderSettings& settings, const std::function<void(const LadderRecord&)>& done);

}  // namespace recon::heart
