#include <fmt/format.h>

#include "app/studies/ladder/ladder_report.hpp"

namespace recon::ladder {
namespace {

std::string sum_columns(const SumRecord& record) {
    if (!record.skipped.empty()) {
        return fmt::format("{:>11} {:>9} {:>9} {:>6} {:>8}", "skipped", "", "", "", "");
    }
    const std::string share = record.bound.share > 0 ? fmt::format("{:.0f} %", 100 * record.bound.share) : "";
    return fmt::format("{:>8.3g} ms {:>9.3g} {:>9.4g} {:>6} {:>8.1e}", 1e3 * record.seconds, record.pairs_per_s,
                       1e-9 * record.flops, share, record.error.relative_l2);
}

/// What a line of the table has to explain below it.
void explain(const char* what, const SumRecord& record, std::string& text) {
    if (!record.skipped.empty()) {
        text += fmt::format("    {}: skipped: {}\n", what, record.skipped);
        return;
    }
    if (record.part < 1) {
        text += fmt::format("    {}: slower than the time limit: timed on the first {} voxels, {:.2g} % of all\n", what,
                            record.voxel_count, 100 * record.part);
    }
    if (!record.run.remark.empty()) {
        text += fmt::format("    {}: {}\n", what, record.run.remark);
    }
    if (record.check) {
        text += fmt::format("    {}: check {}: largest difference {:.3g}, relative L2 {:.3g}, {} of {} numbers wrong\n",
                            what, record.check->passed() ? "passed" : "FAILED", record.check->largest_difference,
                            record.check->relative_difference, record.check->wrong_count, record.check->number_count);
    }
}

}  // namespace

std::string table_head() {
    const std::string columns =
        fmt::format("{:>11} {:>9} {:>9} {:>6} {:>8}", "time", "pairs/s", "GFLOP/s", "bound", "error");
    return fmt::format("{:<20} {:^47}   {:^47}   {:>9}\n{:<20} {}   {}   {:>9}\n", "", "Q", "F^H d", "image", "step",
                       columns, columns, "error");
}

std::string table_line(const StepRecord& record) {
    const std::string name =
        record.step.place == Place::gpus ? fmt::format("{} x {}", record.step.id, record.gpu_count) : record.step.id;
    if (!record.sums[0].skipped.empty() && record.sums[0].skipped == record.sums[1].skipped) {
        return fmt::format("{:<20} skipped: {}\n", name, record.sums[0].skipped);
    }
    const std::string image =
        record.image.skipped.empty() ? fmt::format("{:.1e}", record.image.from_double.relative_l2) : "-";
    std::string text =
        fmt::format("{:<20} {}   {}   {:>9}\n", name, sum_columns(record.sums[0]), sum_columns(record.sums[1]), image);
    explain("Q", record.sums[0], text);
    if (record.sums[1].skipped != record.sums[0].skipped || record.sums[1].run.remark != record.sums[0].run.remark ||
        record.sums[1].part < 1) {
        explain("F^H d", record.sums[1], text);
    }
    if (!record.step.wrong.empty()) {
        text += fmt::format("    wrong on purpose: {}\n", record.step.wrong);
    }
    if (!record.image.skipped.empty() && record.image.skipped != record.sums[0].skipped) {
        text += fmt::format("    image: skipped: {}\n", record.image.skipped);
    }
    return text;
}

}  // namespace recon::ladder
