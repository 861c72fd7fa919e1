#include "data/reading/trajectory_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/error.hpp"
#include "data/files/file_identity.hpp"
#include "data/reading/format.hpp"
#include "data/reading/scan/frame_labels.hpp"
#include "data/reading/stored/file_and_dataset.hpp"
#include "data/reading/unreadable_file.hpp"

namespace recon {
namespace {

bool is_dimension(Index extent) { return extent >= 1 && extent <= 3; }

/// The frames' positions out of [.. sample, dimension], or [dimension, sample ..].
std::vector<std::shared_ptr<const Trajectory>> separated(const std::vector<double>& values, Index frame_count,
                                                         Index dimension_count, bool dimension_first) {
    const Index total = static_cast<Index>(values.size()) / dimension_count;
    const Index count = total / frame_count;
    std::vector<std::shared_ptr<const Trajectory>> frames;
    for (Index f = 0; f < frame_count; ++f) {
        const auto trajectory = std::make_shared<Trajectory>();
        for (Index axis = 0; axis < 3; ++axis) {
            std::vector<double>& k = trajectory->k[axis];
            k.assign(count, 0);
            for (Index s = 0; s < count && axis < dimension_count; ++s) {
                const Index sample = f * count + s;
                k[s] = values[dimension_first ? axis * total + sample : sample * dimension_count + axis];
            }
        }
        frames.push_back(trajectory);
    }
    return frames;
}

StoredTrajectory trajectory_of_scan(const std::string& path) {
    ScanReadOptions options;
    options.kspace = KspaceReading::on_demand;
    const StoredScan stored = open_scan(path)->read(options);
    StoredTrajectory result;
    result.where = path;
    for (const Frame& frame : stored.scan.frames) {
        result.frames.push_back(frame.trajectory);
    }
    const bool alike = std::all_of(result.frames.begin(), result.frames.end(),
                                   [&](const auto& trajectory) { return trajectory == result.frames.front(); });
    result.frames.resize(alike ? 1 : result.frames.size());
    result.samples_per_readout = stored.scan.samples_per_readout;
    result.unit = stored.stated_unit;
    result.unit_stated_by = stored.stated_where;
    return result;
}

FileAndDataset existing_file(const std::string& name) {
    FileAndDataset file = parse_file_and_dataset(name);
    std::error_code ignored;
    if (!std::filesystem::exists(file.path, ignored)) {
        throw missing_file(file.path);
    }
    require_file_or_folder(file.path);
    return file;
}

}  // namespace

std::shared_ptr<const Trajectory> StoredTrajectory::of_frame(Index index, Index frame_count) const {
    if (frames.size() != 1 && static_cast<Index>(frames.size()) != frame_count) {
        throw InputError(fmt::format("{}: has positions of {} frames, expected one for all or {}, as the scan", where,
                                     frames.size(), frame_count));
    }
    return frames[frames.size() == 1 ? 0 : static_cast<std::size_t>(index)];
}

StoredTrajectory StoredTrajectory::divided(Index frame_count, Index samples_of_frame, bool in_order) const {
    const bool is_whole = !sequence || frames.size() != 1 || frame_count < 2 ||
                          frames.front()->sample_count() != frame_count * samples_of_frame;
    const std::vector<Index> own = is_whole ? std::vector<Index>{} : sequence->frame_of_sample;
    if (is_whole || (own.empty() && !in_order)) {
        return *this;
    }
    std::vector<Trajectory> parts(static_cast<std::size_t>(frame_count));
    const Trajectory& all = *frames.front();
    for (Index sample = 0; sample < all.sample_count(); ++sample) {
        const Index frame = own.empty() ? sample / samples_of_frame : own[static_cast<std::size_t>(sample)];
        if (frame >= frame_count) {
            return *this;
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            parts[static_cast<std::size_t>(frame)].k[axis].push_back(all.k[axis][static_cast<std::size_t>(sample)]);
        }
    }
    StoredTrajectory result = *this;
    result.sequence.reset();
    result.frames.clear();
    for (Trajectory& part : parts) {
        if (part.sample_count() != samples_of_frame) {
            return *this;
        }
        result.frames.push_back(std::make_shared<const Trajectory>(std::move(part)));
    }
    return result;
}

StoredTrajectory trajectory_of(StoredArray array) {
    const std::vector<Index>& extents = array.extents;
    const bool dimension_last = extents.size() >= 2 && is_dimension(extents.back());
    const bool dimension_first = !dimension_last && extents.size() >= 2 && is_dimension(extents.front());
    if ((!dimension_last && !dimension_first) || array.element_count() == 0) {
        throw InputError(
            fmt::format("{}: is {}, expected positions [sample, dimension] or [readout, sample, "
                        "dimension] with 1 to 3 dimensions",
                        array.where, array.extents_text()));
    }
    std::vector<Index> samples(extents.begin() + (dimension_first ? 1 : 0), extents.end() - (dimension_last ? 1 : 0));
    const Index dimension_count = dimension_last ? extents.back() : extents.front();
    StoredTrajectory result;
    result.where = array.where;
    result.samples_per_readout = samples.size() > 1 ? samples.back() : 0;
    Index frame_count = 1;
    for (std::size_t axis = 0; axis + 2 < samples.size(); ++axis) {
        frame_count *= samples[axis];
    }
    result.unit = array.unit;
    result.unit_stated_by = array.unit_stated_by;
    result.field_of_view_mm = array.field_of_view_mm;
    result.sequence = std::move(array.sequence);
    result.frames = separated(array.take_real(), frame_count, dimension_count, dimension_first);
    for (const auto& frame : result.frames) {
        for (const std::vector<double>& positions : frame->k) {
            const auto not_finite =
                std::ranges::count_if(positions, [](double position) { return !std::isfinite(position); });
            if (not_finite > 0) {
                throw InputError(fmt::format("{}: {} of {} positions along an axis are not finite (NaN or infinity)",
                                             array.where, not_finite, positions.size()));
            }
        }
    }
    return result;
}

StoredArray read_array_of_file(const std::string& name, const std::vector<std::string>& usual,
                               const std::string& what) {
    const FileAndDataset file = existing_file(name);
    const Format* format = format_of(file.path, &Format::read_array);
    if (format == nullptr) {
        throw unreadable_file(file.path, fmt::format("holds nothing that {} can be read from", what),
                              titles_of(formats_with(&Format::read_array)));
    }
    return format->read_array(file.path, {file.dataset, usual});
}

StoredTrajectory read_trajectory(const std::string& name) {
    const FileAndDataset file = existing_file(name);
    const Format* scan = format_of(file.path, &Format::scan_reader);
    if (scan != nullptr && scan->read_array == nullptr && file.dataset.empty()) {
        return trajectory_of_scan(file.path);
    }
    return trajectory_of(read_array_of_file(name, {"trajectory", "traj", "coordinates", "k"}, "a trajectory"));
}

void take_field_of_view(StoredScan& stored, const StoredTrajectory& trajectory) {
    const PerAxis<double>& given = trajectory.field_of_view_mm;
    PerAxis<double>& own = stored.scan.geometry.field_of_view_mm;
    if (own == PerAxis<double>{} && given != PerAxis<double>{}) {
        own = given;
        stored.notes.push_back(fmt::format("field of view {:.6g} x {:.6g} x {:.6g} mm from {} (`fov` gives another)",
                                           given[0], given[1], given[2], trajectory.where));
    }
}

void replace_trajectory(StoredScan& stored, const StoredTrajectory& given) {
    Scan& scan = stored.scan;
    const auto is_like_the_first = [&](const Frame& f) { return f.label.slice == scan.frames.front().label.slice; };
    const bool in_order = !stored.frames_alternate && std::ranges::all_of(scan.frames, is_like_the_first);
    const StoredTrajectory trajectory =
        given.divided(static_cast<Index>(scan.frames.size()), scan.frames.front().sample_count(), in_order);
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        const auto positions = trajectory.of_frame(static_cast<Index>(i), static_cast<Index>(scan.frames.size()));
        if (positions->sample_count() != scan.frames[i].sample_count()) {
            throw InputError(fmt::format("{}: has {} positions, expected {}, as {} has samples in {}", trajectory.where,
                                         positions->sample_count(), scan.frames[i].sample_count(), scan.path,
                                         text_of(scan.frames[i].label)));
        }
        scan.frames[i].trajectory = positions;
    }
    const Index given_length = trajectory.samples_per_readout, own_length = scan.samples_per_readout;
    if (given_length > 0 && own_length > 0 && given_length != own_length) {
        throw InputError(
            fmt::format("{}: has readouts of {} positions, expected {}, as {} has samples in a readout: are "
                        "readouts and samples exchanged in one of them?",
                        trajectory.where, given_length, own_length, scan.path));
    }
    if (given_length > 0) {
        scan.samples_per_readout = trajectory.samples_per_readout;
    }
    stored.stated_unit = trajectory.unit;
    stored.stated_where = trajectory.unit_stated_by;
    stored.z_in_cycles_per_fov = false;
    take_field_of_view(stored, trajectory);
    stored.notes.push_back(fmt::format("positions of the samples from {}", trajectory.where));
}

}  // namespace recon
