#include "app/reconstruction/frame_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "app/reconstruction/problem/gridding_baseline.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/mri/check/image/field_of_view.hpp"
#include "core/mri/check/image/folding.hpp"
#include "core/mri/check/image/residual_judgement.hpp"
#include "core/mri/check/image/rim.hpp"
#include "core/mri/noise/noise_level.hpp"

namespace recon {
namespace {

/// Which of the scan's frames it is, where there are several.
std::string name_of_frame(const Scan& scan, const Frame& frame) {
    return scan.frames.size() > 1 ? fmt::format(" of frame {}", &frame - scan.frames.data()) : "";
}

double noise_sigma(const Scan& scan, const Frame& frame) {
    return scan.noise.empty() ? noise_level_of_edges({scan, frame.kspace}, *frame.trajectory, scan.geometry.matrix_size,
                                                     scan.samples_per_readout)
                                    .sigma
                              : noise_level_of_acquisition(scan.noise).sigma;
}

void share_by_measured_coil(const CoilCompression& compression, ResidualShares& shares) {
    for (std::vector<double>* const energies : {&shares.of_coils, &shares.data_of_coils, &shares.predicted_of_coils}) {
        *energies = compression.of_measured(*energies);
    }
}

struct RelativeErrors {
    double data_residual;
    double predicted;  ///< of the image; 0 where none is known
};

/// On the first rank: what the residual and the image say of the scan, also to the log. Every rank calls it.
/// @param shares  those of virtual coils become those of measured ones
std::vector<CheckFinding> judge(const FrameProblem& problem, ResidualShares& shares, const RelativeErrors& errors,
                                std::span<const cfloat> image) {
    const ReconstructionContext& context = problem.context();
    if (!context.backend.computes()) {
        return {};
    }
    constexpr double never_doubtful = 0.3;  // whatever the noise
    const double sigma = errors.data_residual > never_doubtful ? noise_sigma(context.scan, problem.frame()) : 0;
    if (context.ranks().rank() != 0) {
        return {};
    }
    const CoilCompression* const compression = context.compression;
    if (compression != nullptr) {
        share_by_measured_coil(*compression, shares);
    }
    const std::string frame = name_of_frame(context.scan, problem.frame());
    std::vector<CheckFinding> findings = judge_residual(
        shares, {.samples_per_readout = context.scan.samples_per_readout,
                 .coil_numbers = context.coil_numbers,
                 .virtual_coils = compression != nullptr ? compression->coil_count() : 0,
                 .frame = frame,
                 .noise_sigma = sigma,
                 .rim_readouts =
                     rim_readouts(*problem.frame().trajectory, context.matrix_size(), context.scan.samples_per_readout),
                 .rim_places =
                     rim_places(*problem.frame().trajectory, context.matrix_size(), context.scan.samples_per_readout)});
    for (const CheckFinding& finding : findings) {
        log_warning("residual: {}", finding.text);
    }
    std::vector<CheckFinding> of_image;
    if (const RegularisationOptions& priors = context.options.regularisation; priors.scan != ScanPrior::none) {
        constexpr double mostly_object = 0.5;
        if (errors.predicted < mostly_object) {
            of_image = judge_border(image, context.matrix_size(), *problem.frame().trajectory, frame);
        }
        const auto coils_with_data =
            std::ranges::count_if(shares.data_of_coils, [](double energy) { return energy > 0; });
        if (coils_with_data == 1 && priors.coupling_term() == nullptr) {  // frames of other samples may tell
            std::ranges::move(judge_folding(image, context.matrix_size(), *problem.frame().trajectory, frame),
                              std::back_inserter(of_image));
        }
    }
    for (CheckFinding& finding : of_image) {
        log_warning("check: {}", finding.text);
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace

FrameResult frame_result(FrameProblem& problem, const FrameLabel& label, ConstArrayView image, double predicted_error,
                         std::span<const NamedArray> maps) {
    const ReconstructionContext& context = problem.context();
    const auto on_first_rank = [&context](ConstArrayView array) {
        return context.ranks().rank() == 0 ? download<float>(array) : std::vector<cfloat>();
    };
    FrameResult result;
    result.label = label;
    result.memory = context.memory;
    result.sums = problem.plans().method();
    result.image = on_first_rank(image);
    if (const auto& is_ready = context.run.control().image_is_ready;
        is_ready && context.scan.frames.size() == 1 && context.ranks().rank() == 0 && context.backend.computes()) {
        is_ready(result.image, maps);
    }
    ResidualShares shares;
    result.data_residual = problem.data_residual(image, shares);
    result.findings = judge(problem, shares, {result.data_residual, predicted_error}, result.image);
    if (context.options.baseline) {
        result.baseline = on_first_rank(gridded_image(problem));
    }
    if (context.options.measure_accuracy) {
        result.accuracy = problem.measured_accuracy();
    }
    return result;
}

void require_image(const FrameResult& result) {
    bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite)
    for (std::size_t i = 0; i < result.image.size(); ++i) {
        finite = finite && std::isfinite(result.image[i].real()) && std::isfinite(result.image[i].imag());
    }
    if (!finite) {
        throw InputError(
            "the image holds numbers that are not finite: data, coil maps or weights are too large for single "
            "precision; scale the data, and check the scan for extreme values");
    }
    const bool gave_up = result.cg.stopped_by == StopReason::breakdown || result.cg.stopped_by == StopReason::zero_data;
    const bool has_data = result.data_residual > 0;  // 1 where the image is zero and the data are not
    if (gave_up && has_data && !result.image.empty() &&
        std::all_of(result.image.begin(), result.image.end(), [](cfloat v) { return v == cfloat(0); })) {
        throw InputError(
            "the image is zero, the data are not: coil maps are zero or tiny where the object is (`coil_crop`, a "
            "`mask`, a wrong scale?), or the data too small for single precision");
    }
}

FrameResult frame_not_begun(const Scan& scan, const Frame& frame, const ReconstructOptions& options,
                            const MemoryPlan& memory) {
    FrameResult result;
    result.label = frame.label;
    result.memory = memory;
    result.image.resize(Shape::image(scan.geometry.matrix_size).element_count());
    result.baseline.resize(options.baseline ? result.image.size() : 0);
    result.q_origin = "none";
    result.cg.stopped_by = StopReason::cancelled;
    return result;
}

}  // namespace recon
