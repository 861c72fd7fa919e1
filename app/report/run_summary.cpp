#include "app/report/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reconstruction/scan_prior/scan_prior_report.hpp"
#include "app/report/largest_of_frames.hpp"

namespace recon {
namespace {

bool is_folded(const RunRecord& record) {
    if (!record.contains("check")) {
        return false;
    }
    const RunRecord findings = record["check"].value("findings", RunRecord::array());
    return std::any_of(findings.begin(), findings.end(),
                       [](const RunRecord& finding) { return finding.value("kind", "") == "folding"; });
}

}  // namespace

std::string data_residual_text(const RunRecord& record) {
    const LargestOfFrames largest(record, "data_residual");
    return fmt::format("{:.5f}{}", largest.value, largest.of_frame());
}

std::string summary_text(const RunRecord& record) {
    const LargestOfFrames error(record, "predicted_error");
    std::string text;
    if (error.value > 0) {
        text += fmt::format("; predicted error {:.2g} %{}", 100 * error.value, error.of_frame());
        if (const LargestOfFrames left_over(record, "model_error"); left_over.value > clearly_wrong_model) {
            text += ", or more: the model leaves signal over, see the warnings above";
        } else if (is_folded(record)) {
            text += ", or more: the image is folded over itself, see the warnings above";
        } else if (record.contains("field_map_check") && !record["field_map_check"].value("warning", "").empty()) {
            text += ", or more: the field map is doubtful, see the warnings above";
        }
    }
    if (record.contains("check") && record["check"].value("verdict", "") == "doubtful") {
        text += "; the scan is doubtful, see the warnings above";
    }
    return text;
}

}  // namespace recon
