#include "app/reconstruction/reconstruction.hpp"

#include <algorithm>
#include <iterator>

#include "app/reconstruction/coils/calibration_place.hpp"
#include "app/reconstruction/coils/coil_preparation.hpp"
#include "app/reconstruction/coils/estimated_maps.hpp"
#include "app/reconstruction/frame_parcel.hpp"
#include "app/reconstruction/frames/frame_division.hpp"
#include "app/reconstruction/frames/frame_series.hpp"
#include "app/reconstruction/image_solver.hpp"
#include "app/reconstruction/memory/memory_planning.hpp"
#include "app/reconstruction/prepared_scan.hpp"
#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/problem/trajectory_plans.hpp"
#include "app/reconstruction/regularisation/lambda_curve.hpp"
#include "app/reconstruction/scan_prior/noise_amplification.hpp"
#include "app/reconstruction/series_reconstruction.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/parallel/run_ranks.hpp"

namespace recon {
namespace {

/// What one rank does.
class Reconstructor {
public:
    explicit Reconstructor(const ReconstructionContext& context) : context_(context) {}

    FrameResult run(const Frame& frame) {
        const bool is_new = prepare(frame);
        FrameProblem problem(context_, frame, *plans_);
        Array image(context_.backend, problem.image_shape(), context_.options.precision);
        PriorTerms priors = make_prior_terms(context_, frame);
        const bool judge_reference =
            priors.reference_use() && context_.options.regularisation.is_quadratic() && is_new_place(frame);
        std::optional<PriorReport> prior_report;
        if (judge_reference) {
            prior_report = start_prior_report(problem, priors);
        }
        ImageReport report = solve_image(problem, priors, image);
        std::vector<NamedArray> extras;
        if (judge_reference) {
            extras = finish_prior_report(problem, priors, image, *prior_report);
        }
        if (report.scan) {
            for (NamedArray* const map : {&report.scan->sd, &report.scan->noise_sd}) {
                if (!map->name.empty()) {
                    extras.push_back(std::move(*map));
                }
            }
        }
        FrameResult result =
            frame_result(problem, frame.label, image, report.scan ? report.scan->predicted_error : 0, extras);
        result.q_origin = is_new ? plans_->q_origin() : "shared";
        result.cg = std::move(report.cg);
        result.admm = std::move(report.admm);
        result.lambda = std::move(report.lambda);
        result.prior = prior_report;
        result.extras = std::move(extras);
        if (report.scan && context_.ranks().rank() == 0) {
            std::ranges::move(judge_model(*report.scan), std::back_inserter(result.findings));
        }
        result.scan = std::move(report.scan);
        add_g_factor(problem, result.extras);
        if (result.lambda) {
            for (NamedArray& extra : lambda_extras(*result.lambda)) {
                result.extras.push_back(std::move(extra));
            }
        }
        return result;
    }

private:
    /// Whether the plans had to be made.
    bool prepare(const Frame& frame) {
        if (plans_ && plans_->serves(frame)) {
            log_info("trajectory as in the frame before: Q is used again");
            return false;
        }
        plans_.reset();  // the memory of the old ones first
        plans_.emplace(context_, frame);
        return true;
    }

    /// Whether the reference of a prior has not been judged where this frame lies: the first of the scan is the first
    /// to be reconstructed, whoever does it.
    bool is_new_place(const Frame& frame) const { return frame.orientation || &frame == &context_.scan.frames.front(); }

    const ReconstructionContext& context_;
    std::optional<TrajectoryPlans> plans_;
};

/// What takes the most memory: the longest frame, and of those with and without density weights each; all frames of the
/// largest slice, where they are solved for together.
void follow_course(const ReconstructionContext& context) {
    if (context.options.regularisation.coupling_term()) {
        follow_series(context);
        return;
    }
    Reconstructor reconstructor(context);
    for (const bool has_weights : {false, true}) {
        const Frame* longest = nullptr;
        for (const Frame& frame : context.scan.frames) {
            if (frame.density_weights.empty() != has_weights &&
                (longest == nullptr || frame.sample_count() > longest->sample_count())) {
                longest = &frame;
            }
        }
        if (longest != nullptr) {
            claim_estimated_maps(context, longest->label.slice);
            reconstructor.run(*longest);
        }
    }
}

std::string label_text(const FrameLabel& label) {
    return fmt::format("contrast {}, repetition {}, set {}, slice {}", label.contrast, label.repetition, label.set,
                       label.slice);
}

/// Whether a failure is the end of a run whose images so far are to be kept. The ranks then meet no more.
bool ends_with_images(const Run& run) {
    const bool keeps = run.control().cancel.requested() && run.control().partial == PartialImage::keep;
    if (keeps) {
        run.ranks().abort();
    }
    return keeps;
}

/// @param order  of the frames to reconstruct; the results of others have a label alone
std::vector<FrameResult> reconstruct_frames(Scan& scan, Run& run, const ReconstructOptions& options,
                                            const PreparedScan& prepared, CoilMapStore& coil_maps,
                                            const std::vector<std::size_t>& order) {
    Backend& backend = run.backend();
    Communicator& ranks = run.ranks();
    CalibrationPlaces calibration_places;
    const MemoryPlan memory = plan_memory(scan, backend, options, ranks.size(), follow_course, calibration_places);
    log_info("memory: {}", memory.text());
    backend.memory().set_piece_bytes(memory.piece_bytes);
    backend.memory().restart_peak();
    const MemoryClaim host(backend.memory(), memory.host_bytes);
    const Division division(ranks, scan.coil_count);
    const ReconstructionContext context{run,
                                        scan,
                                        backend,
                                        division,
                                        options,
                                        memory,
                                        coil_maps,
                                        calibration_places,
                                        prepared.coils.numbers(),
                                        prepared.coils.whitening_or_null(),
                                        prepared.coils.compression_or_null(),
                                        prepared.coils.are_as_measured(),
                                        prepared.series.get(),
                                        prepared.coils.clearest_frames,
                                        prepared.tolerance.noise};
    run.begin_journal();
    if (options.regularisation.coupling_term()) {
        std::vector<FrameResult> results = reconstruct_series(context, scan.frames);
        std::for_each(results.begin(), results.end(), require_image);
        return results;
    }
    Reconstructor reconstructor(context);
    std::vector<FrameResult> results(scan.frames.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        results[i].label = scan.frames[i].label;
    }
    std::size_t done = 0;
    try {
        for (; done < order.size(); ++done) {
            const std::size_t index = order[done];
            Frame& frame = scan.frames[index];
            run.begin_frame(index);
            if (scan.frames.size() > 1) {
                log_info("frame {} (of 0 to {}): {}", index, scan.frames.size() - 1, label_text(frame.label));
            }
            load_for_all(frame, run);
            results[index] = reconstructor.run(frame);
            release_by_all(frame, ranks);
            require_image(results[index]);
        }
    } catch (const Error&) {
        if (done == 0 || !ends_with_images(run)) {
            throw;
        }
        log_warning("stopped: {} of {} frames are left zero", order.size() - done, order.size());
        for (; done < order.size(); ++done) {
            results[order[done]] = frame_not_begun(scan, scan.frames[order[done]], options, memory);
        }
    }
    return results;
}

ReconstructOptions with_tolerance(ReconstructOptions options, const ChosenTolerance& chosen) {
    options.normal_tolerance = chosen.tolerance;
    return options;
}

/// What frames share. Maps go with the first frame of each slice, or of all.
void add_to_results(CoilMapStore& coil_maps, PreparedScan& prepared, const Scan& scan,
                    std::vector<FrameResult>& results) {
    for (auto& [frame, maps] : prepared.off_resonance) {
        if (frame < results.size() && !results[frame].image.empty()) {  // which another process may have
            std::ranges::move(maps, std::back_inserter(results[frame].extras));
        }
    }
    const PreparedCoils& coils = prepared.coils;
    for (FrameResult& result : results) {
        result.tolerance = prepared.tolerance;
        result.virtual_coils = coils.compression ? coils.compression->coil_count() : 0;
        if (coil_maps.has(result.label.slice)) {
            std::vector<cfloat> maps = coil_maps.take(result.label.slice);
            if (!result.image.empty()) {  // which another process has otherwise
                result.extras.push_back(
                    coil_maps_for_file(coils.as_measured(std::move(maps)), scan.geometry.matrix_size));
            }
        }
    }
}

/// As gather_estimated_maps; ranks that have ended with the images so far meet no more.
void gather_maps(const Scan& scan, CoilMapStore& coil_maps, const RunControl& control) {
    try {
        gather_estimated_maps(scan, coil_maps);
    } catch (const Error&) {
        if (!control.cancel.requested() || control.partial != PartialImage::keep) {
            throw;
        }
        log_warning("coil maps: not in the output, as the processes were stopped");
    }
}

void require_samples_for_all(const Scan& scan, const Team& team) {
    for (const Frame& frame : scan.frames) {
        if (frame.sample_count() < static_cast<Index>(team.rank_count())) {
            throw UsageError(fmt::format("`device` {}: {} devices for {} samples; name fewer", team.name(),
                                         team.rank_count(), frame.sample_count()));
        }
    }
}

}  // namespace

MemoryPlan plan_of_reconstruction(const Scan& scan, const Backend& backend, const ReconstructOptions& options,
                                  Index rank_count) {
    CalibrationPlaces calibration_places;
    return plan_memory(scan, backend, options, rank_count, follow_course, calibration_places);
}

std::vector<FrameResult> reconstruct(Scan& scan, Backend& backend, const ReconstructOptions& options,
                                     RunControl& control) {
    PreparedScan prepared(scan, options, control);
    CoilMapStore coil_maps;
    Run run(backend, only_rank(), control);
    std::vector<FrameResult> results = reconstruct_frames(scan, run, with_tolerance(options, prepared.tolerance),
                                                          prepared, coil_maps, order_of_work(scan));
    add_to_results(coil_maps, prepared, scan, results);
    return results;
}

std::vector<FrameResult> reconstruct(Scan& scan, const Team& team, const ReconstructOptions& options,
                                     RunControl& control) {
    require_samples_for_all(scan, team);
    PreparedScan prepared(scan, options, control);
    const ReconstructOptions effective = with_tolerance(options, prepared.tolerance);
    const auto of_groups = frames_of_groups(scan, team.groups);
    const std::vector<std::size_t>& own = of_groups.at(static_cast<std::size_t>(team.group()));
    const bool by_frames = team.groups.group_count > 1;
    if (by_frames) {
        log_info("ranks: {}", text_of_division(team.groups, scan));
        release_others(scan, own);
    }
    CoilMapStore coil_maps;
    std::vector<FrameResult> results;
    run_ranks(team.ranks, [&](Communicator& rank) {
        Run run(team.backend_of(rank), rank, control);
        std::vector<FrameResult> of_rank = reconstruct_frames(scan, run, effective, prepared, coil_maps, own);
        if (run.is_root()) {
            results = std::move(of_rank);
        }
    });
    gather_maps(scan, coil_maps, control);
    add_to_results(coil_maps, prepared, scan, results);
    if (by_frames) {
        gather_frames(results, of_groups, team.groups, *team.processes);
    }
    return results;
}

}  // namespace recon
