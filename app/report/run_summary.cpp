#include "app/report/run_summary.hpp"

#include <fmt/format.h>

#include "app/reconstruction/scan_prior/scan_prior_report.hpp"

namespace recon {
namespace {

struct LargestOfFrames {
    double value = 0;
    std::size_t frame = 0, frame_count = 1;

    LargestOfFrames(const RunRecord& record, const char* name) : value(record.value(name, 0.0)) {
        if (!record.contains("frames")) {
            return;
        }
        const RunRecord& frames = record["frames"];
        frame_count = frames.size();
        for (std::size_t i = 0; i < frame_count; ++i) {
            if (const double of_frame = frames[i].value(name, 0.0); i == 0 || of_frame > value) {
                value = of_frame;
                frame = i;
            }
        }
    }
    std::string of_frame() const {
        return frame_count > 1 ? fmt::format(" (frame {}, the largest of {})", frame, frame_count) : "";
    }
};

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
        }
    }
    if (record.contains("check") && record["check"].value("verdict", "") == "doubtful") {
        text += "; the scan is doubtful, see the warnings above";
    }
    return text;
}

}  // namespace recon
