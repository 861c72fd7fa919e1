#include "data/formats/recon_h5/recon_hdf5_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/formats/recon_h5/recon_hdf5_header.hpp"
#include "data/formats/recon_h5/recon_hdf5_layout.hpp"
#include "data/formats/recon_h5/recon_hdf5_samples.hpp"
#include "data/formats/recon_h5/unread_names.hpp"
#include "data/reading/scan/frame_labels.hpp"

namespace recon {

bool ReconHdf5Reader::recognises(const H5File& file) {
    if (file.has_attribute("/", "format") && file.attribute_info("/", "format").kind == H5Kind::text) {
        return file.read_attribute_scalar<std::string>("/", "format") == layout::format_name;
    }
    return file.has_dataset("/kspace");
}

namespace {

/// A frame that is not read would be missing without a word. @param count  of the groups that are read
void require_frames_in_sequence(const H5File& file, std::size_t count) {
    if (file.has_dataset("/kspace")) {
        return;  // which is all that is read: log_unread_names
    }
    std::set<std::string> read;
    for (std::size_t i = 0; i < count; ++i) {
        read.insert(layout::frame_group(i));
    }
    for (const std::string& name : file.names_in("/")) {
        if (is_frame(name) && !read.contains("/" + name)) {
            throw InputError(
                fmt::format("{}: there is /{}, but no {}: groups of frames are numbered from frame_0 on, without a gap",
                            file.path(), name, layout::frame_group(count)));
        }
    }
}

/// @param first, other  trajectories
void require_same_unit(const H5File& file, const std::string& first, const std::string& other) {
    const auto unit_of = [&](const std::string& name) {
        return file.has_attribute(name, "unit") ? file.read_attribute_scalar<std::string>(name, "unit") : std::string();
    };
    if (const std::string one = unit_of(first), two = unit_of(other); !two.empty() && two != one) {
        throw InputError(fmt::format("{}: {} has the unit \"{}\", {} \"{}\": give all frames in one", file.path(),
                                     other, two, first, one));
    }
}

}  // namespace

StoredScan ReconHdf5Reader::read(const ScanReadOptions& options) const {
    const auto open_file = std::make_shared<const H5File>(H5File::open(path_));
    const H5File& file = *open_file;
    check_version(file);
    StoredScan stored;
    Scan& scan = stored.scan;
    scan.path = path_;
    scan.format = format();
    scan.geometry = read_geometry(file);

    const Positions positions = options.trajectory_path.empty() ? Positions::own : Positions::from_elsewhere;
    std::vector<std::shared_ptr<ReconHdf5Samples>> groups;
    for (std::size_t i = 0; !file.has_dataset("/kspace") && file.has_group(layout::frame_group(i)); ++i) {
        groups.push_back(std::make_shared<ReconHdf5Samples>(open_file, layout::frame_group(i), positions));
    }
    require_frames_in_sequence(file, groups.size());
    const bool stacked = groups.empty();
    if (stacked) {
        groups.push_back(std::make_shared<ReconHdf5Samples>(open_file, "", positions));
    }
    const Index frame_count = stacked ? groups[0]->frame_count() : static_cast<Index>(groups.size());
    scan.coil_count = groups[0]->coil_count();
    scan.samples_per_readout = groups[0]->samples_per_readout();
    const std::vector<FrameLabel> labels = read_labels(file, frame_count);
    stored.has_slices = have_slices(labels);
    const std::vector<Orientation> orientations = read_orientations(file, "/frame_orientation", frame_count);
    DistinctSamples distinct;
    for (const std::size_t i : options.selection.pick(labels, path_)) {
        const std::shared_ptr<ReconHdf5Samples>& group = groups[stacked ? 0 : i];
        if (group->coil_count() != scan.coil_count) {
            throw InputError(fmt::format("{}: {} has {} coils, but {} has {}", path_, layout::frame_group(i),
                                         group->coil_count(), layout::frame_group(0), scan.coil_count));
        }
        if (group->samples_per_readout() != scan.samples_per_readout) {
            scan.samples_per_readout = 0;
        }
        const Index index = stacked ? static_cast<Index>(i) : 0;
        scan.frames.push_back(group->read(index, labels[i], distinct));
        scan.frames.back().read_kspace = [group, index] { return group->read_kspace(index); };
        scan.frames.back().read_coils = [group, index](const Share& coils) { return group->read_coils(index, coils); };
        if (!orientations.empty()) {
            scan.frames.back().orientation = orientations[i];
        }
    }
    std::stable_sort(scan.frames.begin(), scan.frames.end(),
                     [](const Frame& a, const Frame& b) { return a.label < b.label; });
    if (scan.frames.front().orientation) {
        scan.geometry.orientation = scan.frames.front().orientation;  // /orientation is of the first in the file
    }

    const std::string with_unit = (stacked ? "" : layout::frame_group(0)) + "/trajectory";
    if (positions == Positions::own && file.has_attribute(with_unit, "unit")) {
        const auto text = file.read_attribute_scalar<std::string>(with_unit, "unit");
        stored.stated_unit = recognise_trajectory_unit(text);
        stored.stated_where = fmt::format("attribute unit of {}", with_unit);
        if (!stored.stated_unit) {
            log_warning("{}: the unit \"{}\" of the trajectory is not known; trying the range", path_, text);
        }
    }
    for (std::size_t i = 1; i < groups.size() && positions == Positions::own; ++i) {
        require_same_unit(file, with_unit, layout::frame_group(i) + "/trajectory");
    }
    require_datasets(file);
    read_maps(file, stored, options.kspace);
    log_unread_names(file);
    return stored;
}

}  // namespace recon
