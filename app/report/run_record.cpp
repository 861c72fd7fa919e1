#include "app/report/run_record.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "app/report/lambda_report.hpp"
#include "data/reading/scan/frame_labels.hpp"

namespace recon {
namespace {

RunRecord prior_record(const PriorReport& report) {
    RunRecord record = {{"difference_noise", report.noise}, {"edge_scale", report.edge_scale}};
    if (const auto& alignment = report.alignment) {
        constexpr const char* verdicts[] = {"agrees", "misplaced", "unrelated"};
        record["alignment"] = {{"verdict", verdicts[static_cast<int>(alignment->verdict)]},
                               {"information_nats", alignment->information},
                               {"best_placement", alignment->best.text()},
                               {"best_information_nats", alignment->best_information},
                               {"gain_over_noise", alignment->gain_deviations},
                               {"far_information_nats", alignment->far_information},
                               {"far_deviation_nats", alignment->far_deviation}};
    }
    if (const auto& leakage = report.leakage) {
        record["leakage"] = {{"edge_share", leakage->edge_share},
                             {"edge_share_without", leakage->edge_share_without},
                             {"edge_share_chance", leakage->edge_share_chance},
                             {"agreement", leakage->agreement},
                             {"leakage", leakage->leakage}};
    }
    return record;
}

RunRecord frame_record(const FrameResult& frame) {
    RunRecord record = {{"sums", frame.sums.name()},           {"q", frame.q_origin},
                        {"iterations", frame.cg.iterations},   {"stopped_by", name_of(frame.cg.stopped_by)},
                        {"residuals", frame.cg.residuals},     {"true_residual", frame.cg.true_residual},
                        {"data_residual", frame.data_residual}};
    if (frame.scan) {
        record.update(scan_prior_record(*frame.scan));
    }
    if (frame.lambda) {
        record["lambda"] = lambda_record(*frame.lambda);
    }
    if (frame.accuracy) {
        record["measured_accuracy"] = {
            {"q", frame.accuracy->q}, {"fhd", frame.accuracy->fhd}, {"normal", frame.accuracy->normal}};
    }
    if (frame.admm) {
        record["admm"] = {{"cg_iterations", frame.admm->inner_iterations},
                          {"primal_residuals", frame.admm->primal_residuals},
                          {"dual_residuals", frame.admm->dual_residuals},
                          {"objectives", frame.admm->objectives},
                          {"couplings", frame.admm->couplings}};
    }
    if (frame.prior) {
        record["prior_image"] = prior_record(*frame.prior);
    }
    return record;
}

}  // namespace

RunRecord reconstruction_record(const Team& team, const std::vector<FrameResult>& frames, const StageRecord& stages) {
    RunRecord record = frame_record(frames.front());
    record["data_residual"] = std::ranges::max_element(frames, {}, &FrameResult::data_residual)->data_residual;
    record["tolerance"] = frames.front().tolerance.tolerance;
    record["tolerance_source"] = frames.front().tolerance.source;
    if (frames.front().virtual_coils > 0) {
        record["virtual_coils"] = frames.front().virtual_coils;
    }
    record["backend"] = team.name();
    record["backend_description"] = team.first().description();
    for (const auto& backend : team.backends) {
        record["devices"].push_back(backend->description());
    }
    record["seconds"] = {{"total", 0.0}};
    record["stage_memory_bytes"] = RunRecord::object();
    for (const Stage stage : all_stages) {
        const StageRecord::Cost cost = stages.of(stage);
        record["seconds"][std::string(name_of(stage))] = cost.seconds;
        if (cost.peak_bytes > 0) {
            record["stage_memory_bytes"][std::string(name_of(stage))] = cost.peak_bytes;
        }
    }
    if (frames.size() > 1) {
        for (const FrameResult& frame : frames) {
            RunRecord one = frame_record(frame);
            for (const LabelPart& part : label_parts) {
                one["label"][part.name] = frame.label.*part.value;
            }
            record["frames"].push_back(std::move(one));
        }
    }
    return record;
}

std::size_t memory_peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace recon
