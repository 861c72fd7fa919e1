#include "app/merge/series_merge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/merge/merge_part.hpp"
#include "app/merge/merged_record.hpp"
#include "app/merge/missing_frames.hpp"
#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "data/formats/recon_h5/hdf5_copy.hpp"
#include "data/formats/recon_h5/image_hdf5_reader.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
#include "data/reading/scan/frame_labels.hpp"

namespace recon {
namespace {

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
                                     text_of(twice->label())));
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
    series.geometry.orientation = series.orientation(0);
    return series;
}

void copy_extras(const std::vector<MergeFrame>& frames, H5File& to) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const MergePart& part = *frames[i].part;
        const H5File from = H5File::open(part.path);
        const FrameExtras extras = extras_of_frame(from, frames[i].index, part.image.frame_count());
        const std::string group = frames.size() > 1 ? fmt::format("/frame_{}/", i) : "/";
        for (const std::string& name : extras.names) {
            copy_object(from, extras.group + name, to, group + name);
        }
        if (i == 0 && from.has_group("/coverage")) {
            copy_object(from, "/coverage", to, "/coverage");
        }
    }
}

}  // namespace

Index merge_series(const std::vector<std::string>& paths, const std::string& out, const MergeOptions& options,
                   const RunRecord& record) {
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
        throw InputError(fmt::format("found {} in {}, expected {} (`frames`)", counted(count, "frame"),
                                     counted(static_cast<Index>(parts.size()), "file"), *options.frame_count));
    }
    const Image image = joined(frames, [](const MergePart& part) -> const Image& { return part.image; });
    std::optional<Image> baseline;
    if (parts.front().baseline) {
        baseline = joined(frames, [](const MergePart& part) -> const Image& { return *part.baseline; });
    }
    write_image_hdf5(out, {.image = image,
                           .baseline = baseline ? &*baseline : nullptr,
                           .run = merged_record(parts, frames, record),
                           .more = [&](H5File& file) { copy_extras(frames, file); }});
    return count;
}

}  // namespace recon
