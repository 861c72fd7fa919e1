#include "app/studies/stone2008/stone_published.hpp"
#include "app/studies/stone2008/stone_report.hpp"
#include "data/files/run_record.hpp"

namespace recon::stone {
namespace {

using nlohmann::json;

json optional_number(const std::optional<double>& value) { return value ? finite_or_null(*value) : json(nullptr); }

json time_json(const SumTime& time) {
    return {{"seconds", time.seconds},
            {"extrapolated", time.extrapolated()},
            {"part_of_samples", time.part},
            {"flops", time.flops}};
}

json row_json(const Row& row) {
    json result = {{"id", row.id}, {"title", row.title}};
    if (!row.skipped.empty()) {
        result["skipped"] = row.skipped;
        return result;
    }
    if (row.q) {
        result["q"] = time_json(*row.q);
    }
    result["fhd"] = time_json(row.fhd);
    result["solver_seconds"] = row.solver_seconds;
    result["reconstruction_seconds"] = row.reconstruction_seconds();
    result["remark"] = row.remark;
    if (row.image) {
        result["image"] = {{"of", row.image_origin == ImageOrigin::own ? "own sums" : "reference sums"},
                           {"error", row.image->relative_l2},
                           {"psnr_db", finite_or_null(row.image->psnr_db)},
                           {"largest_error", row.image->largest}};
    }
    if (const PublishedTimes* paper = published_for(row.id)) {
        result["published"] = {{"title", paper->title},
                               {"q_minutes", paper->q_min},
                               {"fhd_minutes", paper->fhd_min},
                               {"solver_minutes", paper->solver_min},
                               {"reconstruction_minutes", paper->reconstruction_min()},
                               {"q_gflops", paper->q_gflops},
                               {"fhd_gflops", paper->fhd_gflops}};
    }
    return result;
}

json figures_json(const ImageFigures& figures) {
    return {{"error", finite_or_null(figures.all.relative_l2)},
            {"psnr_db", finite_or_null(figures.all.psnr_db)},
            {"snr_db", finite_or_null(figures.all.snr_db)},
            {"object_error", finite_or_null(figures.object.relative_l2)},
            {"object_snr_db", finite_or_null(figures.object.snr_db)}};
}

json image_row_json(const ImageRow& row) {
    json result = {{"id", row.id}, {"title", row.title}};
    result.update(figures_json(row.figures));
    result["lambda"] = optional_number(row.lambda);
    result["iterations"] = row.iterations;
    result["seconds"] = row.seconds;
    if (const PublishedImage* paper = published_image_for(row.id)) {
        result["published"] = {{"error_percent", paper->error_percent}, {"psnr_db", paper->psnr_db}};
    }
    return result;
}

json step_image_json(const StepImageRow& row) {
    json result = {{"id", row.id}, {"title", row.title}};
    if (!row.skipped.empty()) {
        result["skipped"] = row.skipped;
        return result;
    }
    result["q_seconds"] = row.q_seconds;
    result["fhd_seconds"] = row.fhd_seconds;
    result.update(figures_json(row.figures));
    result["psnr_change_db"] = finite_or_null(row.psnr_change_db);
    return result;
}

void add_times(const Report& report, json& document) {
    document["times"] = {{"size", report.settings.size},
                         {"sample_count", report.sample_count},
                         {"readout_count", report.readout_count},
                         {"q_voxel_count", report.q_voxel_count},
                         {"snr", report.settings.snr},
                         {"seed", report.settings.seed},
                         {"iterations", report.settings.iterations},
                         {"repeat", report.settings.repeat},
                         {"time_limit_seconds", report.settings.time_limit_s},
                         {"density_seconds", report.density_seconds},
                         {"published", times_paper}};
    document["device"] = report.gpu + "; " + report.cpu;
    for (const Row& row : report.rows) {
        document["rows"].push_back(row_json(row));
    }
    for (const Ratio& ratio : headline_ratios(report)) {
        document["ratios"].push_back({{"id", ratio.id},
                                      {"title", ratio.title},
                                      {"published", ratio.published},
                                      {"same_step", optional_number(ratio.same_step)},
                                      {"program", optional_number(ratio.program)}});
    }
}

void add_image(const ImageReport& report, json& document) {
    document["image"] = {{"size", report.settings.size},
                         {"sample_count", report.sample_count},
                         {"readout_count", report.readout_count},
                         {"snr", report.settings.snr},
                         {"seed", report.settings.seed},
                         {"proton_image", report.proton_image},
                         {"lambda", optional_number(report.lambda)},
                         {"double_sums", figures_json(report.double_sums)},
                         {"published", image_paper}};
    document["device"] = report.gpu + "; " + report.cpu;
    if (report.leakage) {
        document["leakage"] = {{"edge_share", report.leakage->edge_share},
                               {"edge_share_without", report.leakage->edge_share_without},
                               {"edge_share_chance", report.leakage->edge_share_chance},
                               {"leakage", report.leakage->leakage}};
    }
    for (const ImageRow& row : report.rows) {
        document["images"].push_back(image_row_json(row));
    }
    for (const StepImageRow& row : report.steps) {
        document["step_images"].push_back(step_image_json(row));
    }
    if (const auto largest = largest_change(report)) {
        document["largest_psnr_change"] = {{"step", largest->first}, {"db", largest->second}};
    }
}

}  // namespace

json report_json(const StudyReport& report) {
    json document = {{"version", RECON_VERSION}, {"study", "stone2008"}};
    if (report.times) {
        add_times(*report.times, document);
    }
    if (report.image) {
        add_image(*report.image, document);
    }
    return document;
}

}  // namespace recon::stone
