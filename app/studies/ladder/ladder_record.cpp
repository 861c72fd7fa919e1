#include "app/studies/ladder/ladder_report.hpp"
#include "data/files/run_record.hpp"

namespace recon::ladder {
namespace {

using nlohmann::json;

json deviation_json(const Deviation& deviation) {
    return {{"largest", finite_or_null(deviation.largest)},
            {"relative_l2", finite_or_null(deviation.relative_l2)},
            {"psnr_db", finite_or_null(deviation.psnr_db)},
            {"snr_db", finite_or_null(deviation.snr_db)}};
}

json tuning_json(const Tuning& tuning) {
    return {{"threads", tuning.threads}, {"samples_per_launch", tuning.samples_per_launch}, {"unroll", tuning.unroll}};
}

json sum_json(const SumRecord& record) {
    if (!record.skipped.empty()) {
        return {{"skipped", record.skipped}};
    }
    json result = {{"seconds", record.seconds},
                   {"repeats", record.run.seconds.size()},
                   {"prepare_seconds", record.run.prepare_seconds},
                   {"pairs_per_s", record.pairs_per_s},
                   {"gflop_per_s", 1e-9 * record.flops},
                   {"device_bytes", record.run.work.device_bytes},
                   {"requested_bytes", record.run.work.requested_bytes},
                   {"instructions", record.run.work.instructions},
                   {"special_functions", record.run.work.special_functions},
                   {"off_chip_words", record.run.work.words},
                   {"atomics", record.run.work.atomics},
                   {"bound", record.bound.unit},
                   {"part_of_bound", record.bound.share},
                   {"error", deviation_json(record.error)},
                   {"remark", record.run.remark}};
    if (record.part < 1) {
        result["timed_voxels"] = record.voxel_count;
    }
    if (record.run.tuning) {
        result["tuning"] = tuning_json(*record.run.tuning);
    }
    if (record.check) {
        result["check"] = {{"passed", record.check->passed()},
                           {"largest_difference", record.check->largest_difference},
                           {"relative_difference", record.check->relative_difference},
                           {"wrong_count", record.check->wrong_count}};
    }
    return result;
}

json image_json(const ImageRecord& record) {
    if (!record.skipped.empty()) {
        return {{"skipped", record.skipped}};
    }
    return {{"from_truth", deviation_json(record.from_truth)}, {"from_double", deviation_json(record.from_double)}};
}

json step_json(const StepRecord& record) {
    return {{"id", record.step.id},
            {"title", record.step.title},
            {"change", record.step.change},
            {"bound", record.step.bound},
            {"wrong", record.step.wrong},
            {"gpus", record.step.place == Place::cpu ? 0 : record.gpu_count},
            {"q", sum_json(record.sums[0])},
            {"fhd", sum_json(record.sums[1])},
            {"image", image_json(record.image)}};
}

/// All tries of the tuning, as rows [threads, samples a launch, unrolling, seconds], and those of the places of the
/// samples in memory, which have the place before the seconds.
json trials_json(const Report& report, int sum, bool of_places) {
    json rows = json::array();
    for (const StepRecord& step : report.steps) {
        for (const TuningTrial& trial : step.sums[sum].run.trials) {
            if (trial.variant.empty() == of_places) {
                continue;
            }
            json row{trial.tuning.threads, trial.tuning.samples_per_launch, trial.tuning.unroll};
            if (of_places) {
                row.push_back(trial.variant);
            }
            row.push_back(trial.seconds);
            rows.push_back(row);
        }
    }
    return rows;
}

}  // namespace

json report_json(const Report& report, const Settings& settings) {
    json steps = json::array();
    for (const StepRecord& step : report.steps) {
        steps.push_back(step_json(step));
    }
    const DeviceCeilings& ceilings = report.ceilings;
    return {{"program", "recon " RECON_VERSION},
            {"problem", report.problem},
            {"voxel_count", report.voxel_count},
            {"sample_count", report.sample_count},
            {"error_voxel_count", report.error_voxel_count},
            {"time_limit_s", settings.time_limit_s},
            {"operations_a_pair", {{"q", operations_a_pair(Sum::q)}, {"fhd", operations_a_pair(Sum::fhd)}}},
            {"device", report.gpu + "; " + report.cpu},
            {"cpu", report.cpu},
            {"gpu", report.gpu},
            {"ceilings",
             {{"copy_bytes_per_s", ceilings.copy_bytes_per_s},
              {"special_functions_per_s", ceilings.special_functions_per_s},
              {"fp32_flops", ceilings.fp32_flops},
              {"tensor_flops", ceilings.tensor_flops}}},
            {"image", report.image},
            {"image_of_exact_sums", report.image.empty() ? json(nullptr) : deviation_json(report.image_truth)},
            {"tuning_trials", {{"q", trials_json(report, 0, false)}, {"fhd", trials_json(report, 1, false)}}},
            {"place_trials", {{"q", trials_json(report, 0, true)}, {"fhd", trials_json(report, 1, true)}}},
            {"steps", steps}};
}

}  // namespace recon::ladder
