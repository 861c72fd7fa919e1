#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/iteration_monitor.hpp"
#include "app/lambda_choice.hpp"
#include "app/memory_plan.hpp"
#include "app/prior_report.hpp"
#include "app/reconstruct_options.hpp"
#include "app/stage_timer.hpp"
#include "app/team.hpp"
#include "core/mri/scan.hpp"
#include "core/named_array.hpp"
#include "core/operators/measured_accuracy.hpp"

namespace recon {

/// One frame, reconstructed.
struct FrameResult {
    FrameLabel label;
    std::vector<cfloat> image;     ///< [x y z]
    std::vector<cfloat> baseline;  ///< [x y z], gridding + FFT; empty unless asked for
    SumsMethod sums = SumsMethod::nufft;
    std::string q_origin;  ///< "computed", "stored" (and kept in the cache), "cached", or "shared" with a frame before
    CgReport cg;
    std::optional<AdmmReport> admm;      ///< with priors that are no squares
    std::optional<ChosenLambda> lambda;  ///< where one was to be chosen
    double data_residual = 0;            ///< |E rho - d| / |d|, with sqrt(w) on both where samples are weighted
    std::optional<MeasuredAccuracy> accuracy;
    std::optional<PriorReport> prior;  ///< of the first frame, and of others that lie elsewhere
    MemoryPlan memory;                 ///< of the first device, the same for all frames
    std::vector<NamedArray> extras;    ///< what else the image file gets of this frame
};

/// Least-squares images of all frames of a scan: rho = argmin |E rho - d|^2 + sum_i lambda_i Q(0) |W_i rho|^2.
/// Frames on one trajectory share Q. K-space that is on demand is in memory for one frame at a time.
/// @param scan  prewhitened in place where it has a noise scan
/// @return in the order of the scan's frames
/// @param backend  one device, or a team of them that divides the coils; the samples, where devices outnumber coils
/// @throws Error of the kind that belongs to the cause
std::vector<FrameResult> reconstruct(Scan& scan, Backend& backend, const ReconstructOptions& options,
                                     IterationMonitor::Style monitor, StageTimer& timer);
std::vector<FrameResult> reconstruct(Scan& scan, const Team& team, const ReconstructOptions& options,
                                     IterationMonitor::Style monitor, StageTimer& timer);

}  // namespace recon
