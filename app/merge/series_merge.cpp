#include "app/merge/series_merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/merge/missing_frames.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/shape.hpp"
#include "data/files/hdf5_probe.hpp"
#include "data/formats/recon_h5/hdf5_copy.hpp"
#include "data/formats/recon_h5/image_hdf5_reader.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"

namespace recon {
namespace {

/// The file of one run.
struct MergePart {
    std::string path;
    H5File file;
    Image image;
    std::optional<Image> baseline;
    RunRecord run = RunRecord::object();

    explicit MergePart(const std::string& name) : path(name), file((require_sound_hdf5(name), H5File::open(name))) {
        if (!is_image_hdf5(file)) {
            throw InputError(fmt::format("{}: is no image file that recon wrote (HDF5 with /image and /run)", path));
        }
        image = read_image_hdf5(file);
        if (file.has_dataset("/baseline/image")) {
            baseline = read_image_hdf5(file, "/baseline");
        }
        if (file.has_dataset("/run/json")) {
            const std::vector<std::string> text = file.read<std::string>("/run/json");
            run = RunRecord::parse(text.empty() ? "" : text.front(), nullptr, false);
        }
        if (!run.is_object()) {
            throw InputError(fmt::format("{}: /run/json is no record of a run", path));
        }
    }
};

/// Frame `index` of a part.
struct MergeFrame {
    const MergePart* part = nullptr;
    Index index = 0;

    const FrameLabel& label() const { return part->image.frames[static_cast<std::size_t>(index)].label; }
};

bool nearly_equal(const PerAxis<double>& a, const PerAxis<double>& b, double tolerance) {
    return std::equal(a.begin(), a.end(), b.begin(), [&](double x, double y) {
        return std::abs(x - y) <= tolerance * std::max({1.0, std::abs(x), std::abs(y)});
    });
}

std::string size_and_extent(const Geometry& geometry) {
    const PerAxis<double>& extent = geometry.field_of_view_mm;
    return fmt::format("{} over {:g} x {:g} x {:g} mm", Shape::image(geometry.matrix_size).text(), extent[0], extent[1],
                       extent[2]);
}

void require_alike(const MergePart& part, const MergePart& first) {
    constexpr double rounding = 1e-6;
    const Geometry &a = part.image.geometry, &b = first.image.geometry;
    if (a.matrix_size != b.matrix_size || !nearly_equal(a.field_of_view_mm, b.field_of_view_mm, rounding)) {
        throw InputError(fmt::format("{} is {}, {} is {}; expected equal sizes", part.path, size_and_extent(a),
                                     first.path, size_and_extent(b)));
    }
    if (part.baseline.has_value() != first.baseline.has_value()) {
        throw InputError(fmt::format("{} has {} baseline, {} has {}; expected one in all files or in none", part.path,
                                     part.baseline ? "a" : "no", first.path, first.baseline ? "one" : "none"));
    }
}

/// Options that tell what the image is; those that say where it goes, which frames, and with what means, may differ.
void compare_runs(const MergePart& part, const MergePart& first) {
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

/// Frames of all parts, by their labels.
std::vector<MergeFrame> frames_in_order(const std::vector<MergePart>& parts) {
    std::vector<MergeFrame> frames;
    for (const MergePart& part : parts) {
        for (Index index = 0; index < part.image.frame_count(); ++index) {
            frames.push_back({&part, index});
        }
    }
    std::ranges::stable_sort(frames, {}, &MergeFrame::label);
    const auto twice = std::ranges::adjacent_find(frames, {}, &MergeFrame::label);
    if (twice != frames.end()) {
        const std::string other = twice->part == (twice + 1)->part ? "twice" : "and " + (twice + 1)->part->path;
        throw InputError(fmt::format("{} {}: both hold {}; expected each frame once", twice->part->path, other,
                                     frame_text(twice->label())));
    }
    return frames;
}

Image joined(const std::vector<MergeFrame>& frames, const Image& (*image_of)(const MergePart&)) {
    Image series;
    series.geometry = image_of(*frames.front().part).geometry;
    series.frames.clear();
    for (const MergeFrame& frame : frames) {
        const Image& image = image_of(*frame.part);
        const std::span<const cfloat> voxels = image.frame(frame.index);
        series.frames.push_back({frame.label(), image.orientation(frame.index)});
        series.voxels.insert(series.voxels.end(), voxels.begin(), voxels.end());
    }
    return series;
}

/// As one run records several frames: the first one at the top, all of them in a list.
RunRecord joined_record(const std::vector<MergePart>& parts, const std::vector<MergeFrame>& frames, RunRecord program) {
    RunRecord record = frames.front().part->run;
    record.erase("frames");
    record.update(program);
    for (const MergePart& part : parts) {
        RunRecord one{{"file", part.path}};
        for (const char* name : {"command", "scan_sha256", "host"}) {
            if (part.run.contains(name)) {
                one[name] = part.run.at(name);
            }
        }
        record["merged"].push_back(one);
    }
    for (const MergeFrame& frame : frames) {
        const RunRecord& run = frame.part->run;
        const auto index = static_cast<std::size_t>(frame.index);
        const bool is_series = run.contains("frames") && run.at("frames").size() > index;
        const RunRecord& source = is_series ? run.at("frames").at(index) : run;
        RunRecord one = RunRecord::object();
        for (const char* name : {"sums",
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
                                 "spectrum",
                                 "predicted_error",
                                 "effective_resolution_mm",
                                 "effective_resolution_voxels",
                                 "effective_resolution_edges_mm",
                                 "effective_resolution_edges_voxels",
                                 "iterations_in_all"}) {
            if (source.contains(name)) {
                one[name] = source.at(name);
            }
        }
        const FrameLabel& label = frame.label();
        one["label"] = {{"contrast", label.contrast},
                        {"repetition", label.repetition},
                        {"set", label.set},
                        {"slice", label.slice},
                        {"phase", label.phase}};
        record["frames"].push_back(std::move(one));
    }
    return record;
}

void copy_extras(const std::vector<MergeFrame>& frames, H5File& to) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const MergePart& part = *frames[i].part;
        const FrameExtras extras = extras_of_frame(part.file, frames[i].index, part.image.frame_count());
        const std::string group = frames.size() > 1 ? fmt::format("/frame_{}/", i) : "/";
        for (std::size_t extra = 0; extra < extras.paths.size(); ++extra) {
            copy_object(part.file, extras.paths[extra], to, group + extras.names[extra]);
        }
    }
    if (frames.front().part->file.has_group("/coverage")) {
        copy_object(frames.front().part->file, "/coverage", to, "/coverage");
    }
}

}  // namespace

Index merge_series(const std::vector<std::string>& paths, const std::string& out, const MergeOptions& options,
                   RunRecord record) {
    if (paths.empty()) {
        throw UsageError("there are no images to merge");
    }
    std::vector<MergePart> parts;
    for (const std::string& path : paths) {
        parts.emplace_back(path);
        require_alike(parts.back(), parts.front());
        compare_runs(parts.back(), parts.front());
    }
    const std::vector<MergeFrame> frames = frames_in_order(parts);
    const auto count = static_cast<Index>(frames.size());
    if (!options.gaps) {
        std::vector<FrameLabel> labels;
        std::ranges::transform(frames, std::back_inserter(labels), &MergeFrame::label);
        require_no_gaps(labels);
    }
    if (options.frame_count && *options.frame_count != count) {
        throw InputError(fmt::format("there are {} frames in {} files, and {} are expected (`frames`)", count,
                                     parts.size(), *options.frame_count));
    }
    const Image image = joined(frames, [](const MergePart& part) -> const Image& { return part.image; });
    std::optional<Image> baseline;
    if (parts.front().baseline) {
        baseline = joined(frames, [](const MergePart& part) -> const Image& { return *part.baseline; });
    }
    write_image_hdf5(out, {.image = image,
                           .baseline = baseline ? &*baseline : nullptr,
                           .run = joined_record(parts, frames, std::move(record)),
                           .more = [&](H5File& file) { copy_extras(frames, file); }});
    return count;
}

}  // namespace recon
