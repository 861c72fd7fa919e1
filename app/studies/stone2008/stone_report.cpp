#include "app/studies/stone2008/stone_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/studies/stone2008/stone_published.hpp"

namespace recon::stone {
namespace {

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

}  // namespace

std::string table_head() {
    constexpr const char* columns = "{:<50}{:>11}{:>10}{:>11}{:>10}{:>10}{:>14}{:>9}{:>8}   {}\n";
    return fmt::format(fmt::runtime(columns), "", "Q", "Q", "F^H d", "F^H d", "solver", "F^H d+solver", "error", "PSNR",
                       "Stone 2007, minutes") +
           fmt::format(fmt::runtime(columns), "", "once", "GFLOP/s", "", "GFLOP/s", "", "= a scan's", "%", "dB",
                       "Q; F^H d + solver = a scan's");
}

std::string table_line(const Row& row) {
    if (!row.skipped.empty()) {
        return fmt::format("{:<50}  not run: {}", row.title, row.skipped);
    }
    std::string line =
        fmt::format("{:<50}{:>11}{:>10}{:>11}{:>10}{:>10}{:>14}", row.title, row.q ? time_text(*row.q) : "-",
                    row.q ? gflops_text(*row.q) : "-", time_text(row.fhd), gflops_text(row.fhd),
                    row.solver_seconds > 0 ? seconds_text(row.solver_seconds) : "-",
                    seconds_text(row.reconstruction_seconds()) + (row.fhd.extrapolated() ? "*" : ""));
    line += row.image ? fmt::format("{:>9}{:>8.2f}",
                                    fmt::format("{:.2f}{}", 100 * row.image->relative_l2,
                                                row.image_origin == ImageOrigin::reference ? "+" : ""),
                                    row.image->psnr_db)
                      : fmt::format("{:>9}{:>8}", "-", "-");
    if (const PublishedTimes* paper = published_for(row.id)) {
        line += fmt::format("   {}; {} + {} = {:g}", minutes_text(paper->q_min), minutes_text(paper->fhd_min),
                            minutes_text(paper->solver_min), paper->reconstruction_min());
        line += paper->q_gflops > 0 ? fmt::format(" ({:g}, {:g} GFLOP/s)", paper->q_gflops, paper->fhd_gflops) : "";
    }
    return line;
}

std::string table_notes(const Report& report) {
    std::string notes = fmt::format(
        "{0} x {0} x {0} voxels, {1} samples on {2} spirals on cones, SNR {3:g}, {4} CG iterations; Q at {5} "
        "differences, (2N-1)^3.\n"
        "CPU: {6}\nGPU: {7}\n",
        report.settings.size, report.sample_count, report.readout_count, report.settings.snr,
        report.settings.iterations, report.q_voxel_count, report.cpu, report.gpu);
    notes += fmt::format(
        "Operations as the originals count them, sine and cosine as one each: 12 a pair for Q, 16 for F^H d.\n"
        "Q is computed once a trajectory; a scan's time is F^H d + solver, as the papers count it. Solver: on the "
        "row's "
        "device,\nin double for rows in double, else in single precision. Error and PSNR: against the true volume, no "
        "scale fitted.\nPublished times: {}; Q there on (2N)^3; its `naive` row is the kernel with the voxel in "
        "registers.\nThis half has next to no noise and no W: its errors are not the published ones, which the image "
        "half repeats.\n",
        times_paper);
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
    const auto text = [](const std::optional<double>& value) { return value ? fmt::format("{:.3g}", *value) : "-"; };
    notes += fmt::format("\n{:<78}{:>12}{:>12}{:>12}\n", "The four headlines", "published", "same step", "recon");
    for (const Ratio& ratio : headline_ratios(report)) {
        notes += fmt::format("{:<78}{:>12g}{:>12}{:>12}\n", ratio.title, ratio.published, text(ratio.same_step),
                             text(ratio.program));
    }
    return notes;
}

}  // namespace recon::stone
