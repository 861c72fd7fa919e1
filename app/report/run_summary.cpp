#include "app/report/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reconstruction/scan_prior/scan_prior_report.hpp"
#include "app/report/largest_of_frames.hpp"

namespace recon {
namespace {

bool has_finding(const RunRecord& record, const char* kind) {
    if (!record.contains("check")) {
        return false;
    }
    const RunRecord findings = record["check"].value("findings", RunRecord::array());
    return std::any_of(findings.begin(), findings.end(),
                       [kind](const RunRecord& finding) { return finding.value("kind", "") == kind; });
}

bool is_unfinished(const RunRecord& record) {
    const RunRecord frames = record.value("frames", RunRecord::array());
    return record.value("unfinished", false) || std::any_of(frames.begin(), frames.end(), [](const RunRecord& frame) {
               return frame.value("unfinished", false);
           });
}

/// Why the error may be larger than predicted; empty where nothing says so.
std::string reason_for_more(const RunRecord& record) {
    if (LargestOfFrames(record, "model_error").value > clearly_wrong_model) {
        return "the model leaves signal over";
    }
    if (has_finding(record, "folding")) {
        return "the image is folded over itself";
    }
    if (has_finding(record, "centre_gap")) {
        return "the centre of k-space lacks samples";
    }
    for (const char* const kind :
         {"residual", "residual_coil", "residual_readout", "residual_place", "trajectory", "readouts", "drift"}) {
        if (has_finding(record, kind)) {
            return "some of the data do not fit";
        }
    }
    if (record.contains("field_map_check") && !record["field_map_check"].value("warning", "").empty()) {
        return "the field map is doubtful";
    }
    return is_unfinished(record) ? "the data hardly tell parts of the image" : "";
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
        if (const std::string reason = reason_for_more(record); !reason.empty()) {
            text += fmt::format(", or more: {}, see the warnings above", reason);
        }
    }
    if (record.contains("check") && record["check"].value("verdict", "") == "doubtful") {
        text += "; the scan is doubtful, see the warnings above";
    }
    return text;
}

}  // namespace recon
