#include "app/studies/stone2008/stone_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace recon::stone {
namespace {

// Gridding: one pass, no sums told apart. Errors: abstract of [Stone 2008], gridding 42 %, least squares 12 %.
constexpr Published published[] = {
    {"gridding-cpu", "gridding + FFT, CPU", 0, 0.39, 0, 0, 0, 42},
    {"cpu-double", "LS, CPU double", 4009, 518, 1.59, 0, 0, 12},
    {"cpu-single", "LS, CPU single", 2678.7, 342.3, 1.61, 0, 0, 12},
    {"base", "LS, GPU base", 260.2, 41.0, 1.65, 0, 0, 12},
    {"constmem", "LS, GPU constant memory", 72.0, 9.8, 1.57, 0, 0, 12},
    {"fasttrig", "LS, GPU + hardware sine and cosine", 13.6, 2.4, 1.60, 0, 0, 12},
    {"tune", "LS, GPU + tuned", 7.5, 1.5, 1.69, 178.9, 144.5, 12},
};

std::string seconds_text(double seconds) {
    return seconds >= 1e5    ? fmt::format("{:.0f} h", seconds / 3600)
           : seconds >= 1000 ? fmt::format("{:.0f} s", seconds)
           : seconds >= 1    ? fmt::format("{:.3g} s", seconds)
                             : fmt::format("{:.3g} ms", 1e3 * seconds);
}

std::string time_text(const SumTime& time) { return seconds_text(time.seconds) + (time.extrapolated() ? "*" : ""); }

std::string gflops_text(const SumTime& time) {
    const double gflops = time.flops / 1e9;
    return gflops <= 0 ? "-" : gflops < 100 ? fmt::format("{:.3g}", gflops) : fmt::format("{:.0f}", gflops);
}

std::string minutes_text(double minutes) { return minutes > 0 ? fmt::format("{:g}", minutes) : "-"; }

nlohmann::json time_json(const SumTime& time) {
    return {{"seconds", time.seconds},
            {"extrapolated", time.extrapolated()},
            {"part_of_samples", time.part},
            {"flops", time.flops}};
}

/// In the order in which people read them (tests/benchmark/record).
constexpr const char* columns[] = {
    "title",         "q seconds", "q extrapolated", "fhd seconds", "fhd extrapolated", "solver_seconds",
    "total_seconds", "q flops",   "fhd flops",      "image error", "image psnr_db",    "published total_minutes"};

nlohmann::json row_json(const Row& row) {
    nlohmann::json json = {{"id", row.id}, {"title", row.title}};
    if (!row.skipped.empty()) {
        json["skipped"] = row.skipped;
        return json;
    }
    if (row.q) {
        json["q"] = time_json(*row.q);
    }
    json["fhd"] = time_json(row.fhd);
    json["solver_seconds"] = row.solver_seconds;
    json["total_seconds"] = row.total_seconds();
    json["remark"] = row.remark;
    if (row.image) {
        json["image"] = {{"of", row.image_origin == ImageOrigin::own ? "own sums" : "reference sums"},
                         {"error", row.image->relative_l2},
                         {"psnr_db", row.image->psnr_db},
                         {"largest_error", row.image->largest}};
    }
    if (const Published* paper = published_for(row.id)) {
        json["published"] = {{"title", paper->title},
                             {"q_minutes", paper->q_min},
                             {"fhd_minutes", paper->fhd_min},
                             {"solver_minutes", paper->solver_min},
                             {"total_minutes", paper->total_min()},
                             {"q_gflops", paper->q_gflops},
                             {"fhd_gflops", paper->fhd_gflops},
                             {"error_percent", paper->error_percent}};
    }
    return json;
}

}  // namespace

const Published* published_for(const std::string& id) {
    const auto found = std::ranges::find_if(published, [&](const Published& row) { return id == row.id; });
    return found == std::end(published) ? nullptr : found;
}

std::string table_head() {
    return fmt::format(
        "{:<50}{:>11}{:>11}{:>10}{:>11}{:>10}{:>10}{:>9}{:>8}   {}\n{:<50}{:>11}{:>11}{:>10}{:>11}{:>10}{:>10}"
        "{:>9}{:>8}   {}",
        "", "Q", "F^H d", "solver", "total", "Q", "F^H d", "error", "PSNR", "Stone 2008, minutes", "", "", "", "", "",
        "GFLOP/s", "GFLOP/s", "%", "dB", "Q + F^H d + solver = total");
}

std::string table_line(const Row& row) {
    if (!row.skipped.empty()) {
        return fmt::format("{:<50}  not run: {}", row.title, row.skipped);
    }
    std::string line =
        fmt::format("{:<50}{:>11}{:>11}{:>10}{:>11}{:>10}{:>10}", row.title, row.q ? time_text(*row.q) : "-",
                    time_text(row.fhd), row.solver_seconds > 0 ? seconds_text(row.solver_seconds) : "-",
                    seconds_text(row.total_seconds()) + (row.extrapolated() ? "*" : ""),
                    row.q ? gflops_text(*row.q) : "-", gflops_text(row.fhd));
    line += row.image ? fmt::format("{:>9}{:>8.2f}",
                                    fmt::format("{:.2f}{}", 100 * row.image->relative_l2,
                                                row.image_origin == ImageOrigin::reference ? "+" : ""),
                                    row.image->psnr_db)
                      : fmt::format("{:>9}{:>8}", "-", "-");
    if (const Published* paper = published_for(row.id)) {
        line += fmt::format("   {} + {} + {} = {:g}", minutes_text(paper->q_min), minutes_text(paper->fhd_min),
                            minutes_text(paper->solver_min), paper->total_min());
        line += paper->q_gflops > 0 ? fmt::format(" ({:g}, {:g} GFLOP/s)", paper->q_gflops, paper->fhd_gflops) : "";
    }
    return line;
}

std::string table_notes(const Report& report) {
    std::string notes = fmt::format(
        "{0} x {0} x {0} voxels, {1} samples on {2} spirals on cones, SNR {3:g}, {4} CG iterations; Q at {5} "
        "differences.\n"
        "CPU: {6}\nGPU: {7}\n",
        report.settings.size, report.sample_count, report.readout_count, report.settings.snr,
        report.settings.iterations, report.q_voxel_count, report.cpu, report.gpu);
    notes +=
        "Operations as the originals count them, sine and cosine as one each: 12 a pair for Q, 16 for F^H d.\n"
        "Solver: on the row's device, in double for rows in double, else in single precision.\n"
        "Error and PSNR: image against the true volume, no scale fitted. Published (64^3 voxels, 3.2e6 samples, "
        "GeForce\n"
        "8800 GTX): gridding 42 %, LS 12 %.\n";
    const auto any = [&](auto&& condition) { return std::ranges::any_of(report.rows, condition); };
    if (any([](const Row& row) { return row.extrapolated(); })) {
        notes += fmt::format(
            "* extrapolated: all samples would take more than {:g} s; a part was measured and its time scaled up. Such "
            "a\n  row computes no image of its own.\n",
            report.settings.time_limit_s);
    }
    if (any([](const Row& row) { return row.image_origin == ImageOrigin::reference; })) {
        notes +=
            "+ image from recon's own sums in double, which differ from this row's by the rounding of double "
            "precision.\n";
    }
    if (report.density_seconds > 0) {
        notes +=
            fmt::format("Gridding: density weights (Pipe and Menon) took {:.3g} s more.\n", report.density_seconds);
    }
    return notes;
}

nlohmann::json report_json(const Report& report) {
    nlohmann::json json = {{"version", RECON_VERSION},
                           {"study", "stone2008"},
                           {"size", report.settings.size},
                           {"sample_count", report.sample_count},
                           {"readout_count", report.readout_count},
                           {"q_voxel_count", report.q_voxel_count},
                           {"snr", report.settings.snr},
                           {"seed", report.settings.seed},
                           {"iterations", report.settings.iterations},
                           {"repeat", report.settings.repeat},
                           {"time_limit_seconds", report.settings.time_limit_s},
                           {"device", report.gpu + "; " + report.cpu},
                           {"columns", columns},
                           {"density_seconds", report.density_seconds},
                           {"rows", nlohmann::json::array()}};
    std::ranges::transform(report.rows, std::back_inserter(json["rows"]), row_json);
    return json;
}

}  // namespace recon::stone
