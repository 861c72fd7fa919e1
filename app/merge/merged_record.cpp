#include "app/merge/merged_record.hpp"

#include <array>
#include <set>
#include <string>

#include "core/base/log.hpp"
#include "data/reading/scan/frame_labels.hpp"

namespace recon {
namespace {

/// What a record tells of a frame (app/report/run_record.cpp); of a run of one frame it is among what is known of the
/// run.
constexpr const char* names_of_frame[] = {"sums",
                                          "q",
                                          "iterations",
                                          "stopped_by",
                                          "residuals",
                                          "true_residual",
                                          "data_residual",
                                          "lambda",
                                          "measured_accuracy",
                                          "admm",
                                          "prior_image",
                                          "prior",
                                          "noise_sigma",
                                          "model_error",
                                          "noise_source",
                                          "noise_turns",
                                          "local_passes",
                                          "local_share",
                                          "spectrum",
                                          "predicted_error",
                                          "unresolved_detail",
                                          "unfinished",
                                          "predicted_error_course",
                                          "effective_resolution_mm",
                                          "effective_resolution_voxels",
                                          "effective_resolution_edges_mm",
                                          "effective_resolution_edges_voxels",
                                          "iterations_in_all"};

/// @param names  those of them that are there
template <class Names>
RunRecord some_of(const RunRecord& record, const Names& names) {
    RunRecord found = RunRecord::object();
    for (const char* name : names) {
        if (record.contains(name)) {
            found[name] = record.at(name);
        }
    }
    return found;
}

RunRecord record_of_frame(const MergeFrame& frame) {
    const RunRecord& run = frame.part->run;
    const auto index = static_cast<std::size_t>(frame.index);
    const bool is_series = run.contains("frames") && run.at("frames").is_array() && run.at("frames").size() > index;
    RunRecord record = some_of(is_series ? run.at("frames").at(index) : run, names_of_frame);
    for (const LabelPart& part : label_parts) {
        record["label"][part.name] = frame.label().*part.value;
    }
    return record;
}

}  // namespace

void compare_runs(const MergePart& part, const MergePart& first) {
    // they say where an image goes, of which frames it is, and with what means it is made; the others, what it is
    static const std::set<std::string> may_differ{
        "select",    "out",    "json",   "png",    "report",  "nifti",      "bart",    "npy",          "dicom",
        "mrdstream", "file",   "config", "quiet",  "verbose", "device",     "threads", "memory-limit", "checkpoint",
        "every",     "resume", "cache",  "divide", "help",    "cache-size", "no-cache"};
    const auto value = [](const RunRecord& record, const std::string& name) {
        return record.contains(name) ? record.at(name) : RunRecord();
    };
    const RunRecord of_part = value(part.run, "options"), of_first = value(first.run, "options");
    std::string differ;
    if (of_part.is_object() && of_first.is_object()) {
        for (const auto& [option, given] : of_first.items()) {
            if (!may_differ.contains(option) && value(of_part, option) != given) {
                differ += (differ.empty() ? "" : ", ") + option;
            }
        }
    }
    if (!differ.empty()) {
        log_warning("{} was made with other options than {}: {}", part.path, first.path, differ);
    }
    if (value(part.run, "scan_sha256") != value(first.run, "scan_sha256")) {
        log_warning("{} is of another scan than {}", part.path, first.path);
    }
}

RunRecord merged_record(const std::vector<MergePart>& parts, const std::vector<MergeFrame>& frames,
                        const RunRecord& program) {
    RunRecord record = frames.front().part->run;
    record.update(program);
    record["merged"] = RunRecord::array();  // which the first one may be itself
    for (const MergePart& part : parts) {
        RunRecord one = some_of(part.run, std::array{"command", "scan_sha256", "host"});
        one["file"] = part.path;
        record["merged"].push_back(std::move(one));
    }
    record["frames"] = RunRecord::array();
    for (const MergeFrame& frame : frames) {
        record["frames"].push_back(record_of_frame(frame));
        const double of_frame = record["frames"].back().value("data_residual", 0.0);
        record["data_residual"] = std::max(record.value("data_residual", 0.0), of_frame);
    }
    return record;
}

}  // namespace recon
