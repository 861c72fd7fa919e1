#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/reconstruction/context/memory_plan.hpp"
#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/regularisation/lambda_choice.hpp"
#include "app/reconstruction/regularisation/prior_report.hpp"
#include "app/reconstruction/scan_prior/scan_prior.hpp"
#include "app/reconstruction/tolerance/tolerance_choice.hpp"
#include "core/base/named_array.hpp"
#include "core/mri/check/check_finding.hpp"
#include "core/mri/scan.hpp"
#include "core/operators/measured_accuracy.hpp"
#include "solver/admm.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {

/// One frame, reconstructed.
struct FrameResult {
    FrameLabel label;
    std::vector<cfloat> image;     ///< [x y z]
    std::vector<cfloat> baseline;  ///< [x y z], gridding + FFT; empty unless asked for
    SumsMethod sums = SumsMethod::nufft;
    std::string q_origin;  ///< "computed", "stored" (and kept in the cache), "cached", or "shared" with a frame before
    CgReport cg;
    std::optional<AdmmReport> admm;       ///< with priors that are no squares
    std::optional<ChosenLambda> lambda;   ///< where one was to be chosen
    std::optional<ScanPriorReport> scan;  ///< with a prior of the scan
    double data_residual = 0;             ///< |E rho - d| / |d|, with sqrt(w) on both where samples are weighted
    std::vector<CheckFinding> findings;   ///< of what the residual says
    std::optional<MeasuredAccuracy> accuracy;
    std::optional<PriorReport> prior;  ///< of the first frame, and of others that lie elsewhere
    MemoryPlan memory;                 ///< of the first device, the same for all frames
    ChosenTolerance tolerance;         ///< of the transforms, the same for all frames
    Index virtual_coils = 0;           ///< that the coils were compressed to, the same for all frames; 0: they were not
    std::vector<NamedArray> extras;    ///< what else the image file gets of this frame
};

/// What there is to say of a frame's image whatever solved for it: the image and the baseline, for the rank whose
/// result counts, the data residual, the accuracy.
/// @param predicted_error  of the image, over |rho|; 0 where none is known
/// @param maps             that belong to the image, for RunControl::image_is_ready
FrameResult frame_result(FrameProblem& problem, const FrameLabel& label, ConstArrayView image,
                         double predicted_error = 0, std::span<const NamedArray> maps = {});

/// An image that cannot be right is none. (A scan that is all zero is refused when it is read; a frame of it may be.)
/// @throws InputError
void require_image(const FrameResult& result);

/// Of a frame that the run did not come to.
FrameResult frame_not_begun(const Scan& scan, const Frame& frame, const ReconstructOptions& options,
                            const MemoryPlan& memory);

}  // namespace recon
