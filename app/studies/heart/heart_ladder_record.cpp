#include "app/studies/heart/heart_ladder_report.hpp"
#include "data/files/run_record.hpp"

namespace recon::heart {
namespace {

using nlohmann::json;

json record_json(const LadderRecord& record) {
    json result = {{"id", record.step.id}, {"title", record.step.title}};
    if (!record.skipped.empty()) {
        result["skipped"] = record.skipped;
    } else {
        result.update({{"seconds", record.seconds},
                       {"gflops", record.gflops},
                       {"gb_per_s", record.gb_per_s},
                       {"bound", record.bound},
                       {"part_of_bound", record.share},
                       {"error", finite_or_null(record.error)},
                       {"linf", finite_or_null(record.largest)},
                       {"l2", finite_or_null(record.root_mean_square)},
                       {"gpus", record.gpu_count},
                       {"timed_steps", record.timed_steps},
                       {"repeats", record.repeats},
                       {"precision", std::string(name_of(record.step.precision))}});
    }
    if (const auto& twin = record.step.published) {
        result["published"] = {{"seconds", twin->seconds}, {"gflops", twin->gflops}};
        if (twin->gb_per_s > 0) {
            result["published"]["gb_per_s"] = twin->gb_per_s;
        }
    }
    return result;
}

}  // namespace

json ladder_json(const LadderReport& report, const LadderSettings& settings) {
    json records = json::array();
    for (const LadderRecord& record : report.records) {
        records.push_back(record_json(record));
    }
    return {{"program", "recon " RECON_VERSION},
            {"story", "heart"},
            {"size", report.size},
            {"time", report.time},
            {"dt", report.dt},
            {"step_count", report.step_count},
            {"checked_steps", report.checked_steps},
            {"time_limit_s", settings.time_limit_s},
            {"operations_a_cell", excitation_operations_a_cell},
            {"bytes_a_cell", excitation_bytes_a_cell},
            {"device", report.gpu + "; " + report.cpu},
            {"cpu", report.cpu},
            {"gpu", report.gpu},
            {"ceilings",
             {{"copy_bytes_per_s", report.ceilings.copy_bytes_per_s},
              {"fp64_flops", report.ceilings.fp64_flops},
              {"fp32_flops", report.ceilings.fp32_flops}}},
            {"steps", records}};
}

}  // namespace recon::heart
