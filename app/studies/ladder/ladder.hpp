#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/studies/ladder/ladder_bound.hpp"
#include "app/studies/ladder/ladder_image.hpp"
#include "app/studies/parboil/parboil_check.hpp"
#include "core/mri/metrics/image_metrics.hpp"
#include "gpu/ladder/ladder_step.hpp"

namespace recon::ladder {

/// What `recon ladder` shall climb.
struct Settings {
    Index size = 64;       ///< voxels along each axis of the random problem
    Index samples = 2048;  ///< of the random problem; of an input file the first so many, 0: all
    std::uint64_t seed = 1;
    std::string input;               ///< a file of Parboil's layout instead
    std::string reference;           ///< Q in Parboil's output layout, to check every step against
    std::vector<std::string> steps;  ///< ids; empty: all
    int repeat = 5;
    double time_limit_s = 20;  ///< of one run of one sum: a slower step is timed on a part of the voxels
    Index image_size = 20;     ///< voxels along each axis of the image that every step reconstructs; 0: none
    std::string device = "auto";
    int thread_count = 0;
};

/// One step, one sum.
struct SumRecord {
    std::string skipped;    ///< why; empty if it ran
    double seconds = 0;     ///< median of the repeats
    Index voxel_count = 0;  ///< that were timed: fewer than the problem's where the time limit says so
    double part = 1;        ///< of the problem's voxels
    double pairs_per_s = 0;
    double flops = 0;  ///< by the originals' counting
    Bound bound;
    Deviation error{};  ///< against sums in double
    std::optional<ParboilCheck> check;
    StepRun run;  ///< without its values
};

struct StepRecord {
    Step step;
    int gpu_count = 1;
    std::array<SumRecord, 2> sums;  ///< Q and F^H d
    ImageRecord image;
};

struct Report {
    std::string problem;  ///< "64 x 64 x 64 voxels, 2048 random samples"
    Index voxel_count = 0;
    Index sample_count = 0;
    Index error_voxel_count = 0;  ///< chosen at random, for the errors
    std::string cpu;
    std::string gpu;  ///< or why there is none
    DeviceCeilings ceilings;
    std::string image;  ///< "24 x 24 x 24 voxels, ..."
    Deviation image_truth{};
    std::vector<StepRecord> steps;
};

/// Climbs the ladder. @param done  told of every step when it is finished
/// @throws UsageError for a step that does not exist, InputError for files
Report climb(const Settings& settings, const std::function<void(const StepRecord&)>& done);

}  // namespace recon::ladder
