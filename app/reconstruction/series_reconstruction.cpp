#include "app/reconstruction/series_reconstruction.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "app/reconstruction/coils/estimated_maps.hpp"
#include "app/reconstruction/frames/frame_series.hpp"
#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/regularisation/preconditioning.hpp"
#include "app/reconstruction/regularisation/regularised_system.hpp"
#include "app/reconstruction/regularisation/sparse_solver.hpp"
#include "app/reconstruction/scan_prior/noise_amplification.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/operators/block_diagonal.hpp"

namespace recon {
namespace {

/// The frames of one slice.
class Series {
public:
    Series(const ReconstructionContext& context, const std::vector<std::size_t>& frames)
        : context_(context),
          priors_(make_prior_terms(context, context.scan.frames[frames.front()])),
          shape_(context.image_shape().with_axis("frame", std::ssize(frames))),
          fhd_(context.backend, shape_, context.options.precision),
          right_side_(context.backend, shape_, context.options.precision),
          images_(context.backend, shape_, context.options.precision) {
        for (const std::size_t frame : frames) {
            add(context.scan.frames[frame]);
        }
    }

    /// Results of the frames, in their order.
    std::vector<FrameResult> reconstruct() {
        const AdmmReport report = solve();
        std::vector<FrameResult> results;
        for (std::size_t i = 0; i < problems_.size(); ++i) {
            results.push_back(result_of(i, report));
        }
        return results;
    }

private:
    void add(const Frame& frame) {
        auto plans = std::find_if(plans_.begin(), plans_.end(), [&](const auto& one) { return one->serves(frame); });
        const bool is_new = plans == plans_.end();
        if (is_new) {
            plans = plans_.insert(plans_.end(), std::make_unique<TrajectoryPlans>(context_, frame));
        }
        q_origins_.push_back(is_new ? (*plans)->q_origin() : "shared");
        const auto like = std::ranges::find_if(problems_, [](const auto& one) { return one->sees_with_all_coils(); });
        problems_.push_back(std::make_unique<FrameProblem>(context_, frame, **plans,
                                                           like == problems_.end() ? nullptr : (*like)->coils()));
        labels_.push_back(frame.label);
        systems_.push_back(
            std::make_unique<RegularisedSystem>(*problems_.back(), priors_.terms, priors_.support.get()));
        const Index slot = std::ssize(problems_) - 1;
        context_.backend.copy(problems_.back()->fhd(), fhd_.slice(slot));
        context_.backend.copy(systems_.back()->right_side(), right_side_.slice(slot));
    }

    AdmmReport solve() {
        std::vector<const LinearOperator*> normals;
        std::vector<const LinearOperator*> systems;
        std::vector<const LinearOperator*> supports(problems_.size(), priors_.support.get());
        double q_centre = 0;
        for (std::size_t i = 0; i < problems_.size(); ++i) {
            normals.push_back(&problems_[i]->normal());
            systems.push_back(&systems_[i]->system());
            q_centre += problems_[i]->q_centre() / static_cast<double>(problems_.size());
        }
        const BlockDiagonal normal(normals);
        const BlockDiagonal system(systems);
        std::optional<BlockDiagonal> support;
        if (priors_.support) {
            support.emplace(supports);
        }
        for (std::size_t i = 0; i < problems_.size(); ++i) {
            start_image(*problems_[i], *systems[i], priors_.support.get(), images_.slice(static_cast<Index>(i)));
        }
        context_.run.begin_image();
        return SparseSolver(context_, {normal, fhd_, system, right_side_, q_centre, support ? &*support : nullptr})
            .solve(images_);
    }

    FrameResult result_of(std::size_t index, const AdmmReport& report) {
        FrameResult result = frame_result(*problems_[index], labels_[index], images_.slice(static_cast<Index>(index)));
        result.q_origin = q_origins_[index];
        result.cg = summary_of(report);
        result.admm = report;
        add_g_factor(*problems_[index], result.extras);
        return result;
    }

    const ReconstructionContext& context_;
    PriorTerms priors_;
    Shape shape_;
    std::vector<std::unique_ptr<TrajectoryPlans>> plans_;
    std::vector<std::unique_ptr<FrameProblem>> problems_;
    std::vector<std::unique_ptr<RegularisedSystem>> systems_;
    std::vector<FrameLabel> labels_;
    std::vector<std::string> q_origins_;
    Array fhd_;         ///< [x y z frame]
    Array right_side_;  ///< [x y z frame]
    Array images_;      ///< [x y z frame]
};

}  // namespace

void follow_series(const ReconstructionContext& context) {
    const auto slices = frames_of_slices(context.scan);
    const auto largest = std::max_element(
        slices.begin(), slices.end(), [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    claim_estimated_maps(context, largest->first);
    Series(context, largest->second).reconstruct();
}

std::vector<FrameResult> reconstruct_series(const ReconstructionContext& context, std::vector<Frame>& frames) {
    std::vector<FrameResult> results(frames.size());
    for (const auto& [slice, numbers] : frames_of_slices(context.scan)) {
        if (numbers.size() < 2) {
            throw UsageError(
                fmt::format("`prior` {}: slice {} has one frame; it needs a series of frames (contrasts, repetitions, "
                            "sets or phases), "
                            "use tv or wavelet for one",
                            context.options.regularisation.coupling_term()->prior, slice));
        }
        context.run.begin_frame(numbers.front());
        log_info("slice {}: {} frames at once", slice, numbers.size());
        for (const std::size_t number : numbers) {
            load_for_all(frames[number], context.run);
        }
        std::vector<FrameResult> of_slice = Series(context, numbers).reconstruct();
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            release_by_all(frames[numbers[i]], context.ranks());
            results[numbers[i]] = std::move(of_slice[i]);
        }
    }
    return results;
}

}  // namespace recon
