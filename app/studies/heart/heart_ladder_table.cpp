#include <fmt/format.h>

#include "app/studies/heart/heart_ladder_report.hpp"

namespace recon::heart {

std::string ladder_head() {
    return fmt::format("{:<23} {:>10} {:>9} {:>8} {:>22} {:>8} {:>15} {:>15}   {}\n", "step", "time", "GFLOP/s", "GB/s",
                       "of its bound", "error", "Linf", "L2", "published: s, GFLOP/s, GB/s");
}

std::string ladder_line(const LadderRecord& record) {
    if (!record.skipped.empty()) {
        return fmt::format("{:<23} skipped: {}\n", record.name(), record.skipped);
    }
    const std::string share = record.share > 0 ? fmt::format("{:.0f} % {}", 100 * record.share, record.bound) : "";
    std::string published;
    if (const auto& twin = record.step.published) {
        published = fmt::format("{:g}, {:g}{}", twin->seconds, twin->gflops,
                                twin->gb_per_s > 0 ? fmt::format(", {:g}", twin->gb_per_s) : "");
    }
    return fmt::format("{:<23} {:>8.4g} s {:>9.4g} {:>8.4g} {:>22} {:>8.1e} {:>15.12f} {:>15.12f}   {}\n",
                       record.name(), record.seconds, record.gflops, record.gb_per_s, share, record.error,
                       record.largest, record.root_mean_square, published);
}

std::string ladder_foot(const LadderReport& report) {
    std::string text = fmt::format(
        "\n{0} x {0} cells, T = {1:g}, {2} steps of {3:.6g}\nCPU: {4}\nGPU: {5}\nGFLOP/s: 28 operations a cell and "
        "step; GB/s: 32 bytes (16 in single precision), whatever a step really moves\nerror: largest difference from "
        "the CPU in double precision after {6} steps; published: n = 1024, T = 500, GTX 1080 Ti\n",
        report.size, report.time, report.step_count, report.dt, report.cpu, report.gpu, report.checked_steps);
    if (report.ceilings.copy_bytes_per_s > 0) {
        text += fmt::format("copy in this run: {:.4g} GB/s (the document: 347.2); double precision {:.3g} TFLOP/s\n",
                            1e-9 * report.ceilings.copy_bytes_per_s, 1e-12 * report.ceilings.fp64_flops);
    }
    for (const LadderRecord& record : report.records) {
        if (record.skipped.empty() && record.timed_steps < report.step_count) {
            text +=
                fmt::format("{}: slower than the time limit: timed on the first {} steps, of which are Linf and L2\n",
                            record.step.id, record.timed_steps);
        }
    }
    return text;
}

}  // namespace recon::heart
