#include "data/formats/riesling/riesling_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/riesling/riesling_info.hpp"
#include "data/reading/scan/image_axes.hpp"
#include "data/reading/trajectory_file.hpp"

namespace recon {
namespace {

constexpr const char* kspace_names[] = {"/data", "/noncartesian"};

std::string kspace_name(const H5File& file) {
    const auto* const found = std::find_if(std::begin(kspace_names), std::end(kspace_names),
                                           [&](const char* name) { return file.has_dataset(name); });
    return found == std::end(kspace_names) ? "" : *found;
}

/// K-space of one volume, [slab, trace, sample, channel], as ours, [sample coil].
std::vector<cfloat> channels_last(const std::vector<cfloat>& values, Index first, Index samples, Index channels) {
    std::vector<cfloat> kspace(static_cast<std::size_t>(samples * channels));
    for (Index s = 0; s < samples; ++s) {
        for (Index c = 0; c < channels; ++c) {
            kspace[static_cast<std::size_t>(c * samples + s)] =
                values[static_cast<std::size_t>((first + s) * channels + c)];
        }
    }
    return kspace;
}

StoredTrajectory stored_trajectory(const H5File& file) {
    StoredArray array;
    array.where = file.path() + ", dataset /trajectory";
    array.extents = file.dataset_info("/trajectory").extents;
    array.values = file.read<double>("/trajectory");
    return trajectory_of(std::move(array));
}

/// The matrix that the file says, with the lengths and the place that follow; 0 where it says none.
void take_geometry(const H5File& file, StoredScan& stored) {
    Geometry& geometry = stored.scan.geometry;
    const RieslingInfo info = read_riesling_info(file);
    geometry.matrix_size = info.matrix_size.value_or(PerAxis<Index>{0, 0, 0});
    if (file.has_attribute("/trajectory", "matrix")) {
        const auto values = file.read_attribute<Index>("/trajectory", "matrix");
        if (values.size() > 3) {
            throw InputError(fmt::format("{}: the attribute matrix of /trajectory has {} values, expected x, y, z",
                                         file.path(), values.size()));
        }
        geometry.matrix_size = {1, 1, 1};
        std::copy(values.begin(), values.end(), geometry.matrix_size.begin());
    }
    if (!info.matrix_size) {  // since version 1 positions are within half the matrix
        stored.stated_unit = TrajectoryUnit::cycles_per_fov;
        stored.stated_where = "the RIESLING format";
    }
    if (geometry.matrix_size == PerAxis<Index>{0, 0, 0}) {
        geometry.matrix_size = matrix_of_trajectory(stored.scan.frames);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        geometry.field_of_view_mm[axis] =
            std::max(0.0, info.voxel_size_mm[axis]) * static_cast<double>(geometry.matrix_size[axis]);
    }
    geometry.orientation = info.orientation(geometry.matrix_size);
}

}  // namespace

bool RieslingReader::recognises(const std::string& path) {
    if (!H5File::looks_like_hdf5(path)) {
        return false;
    }
    const H5File file = H5File::open(path);
    return file.has_dataset("/info") && file.has_dataset("/trajectory") && !kspace_name(file).empty();
}

StoredScan RieslingReader::read(const ScanReadOptions& options) const {
    const auto file = std::make_shared<const H5File>(H5File::open(path_));
    const std::string name = kspace_name(*file);
    file->require_plausible_size(name);
    const H5Info info = file->dataset_info(name);
    const std::vector<Index>& extents = info.extents;  // [volume, slab, trace, sample, channel]
    if (extents.size() != 5 || info.kind != H5Kind::complex || info.element_count() < 1) {
        throw InputError(fmt::format("{}: dataset {} is {}, expected complex [volume, slab, trace, sample, channel]",
                                     path_, name, info.text()));
    }
    const Index volumes = extents[0], slabs = extents[1], samples = extents[2] * extents[3], channels = extents[4];
    StoredScan stored;
    Scan& scan = stored.scan;
    scan.path = path_;
    scan.format = format();
    scan.coil_count = channels;
    scan.samples_per_readout = extents[3];

    const std::shared_ptr<const Trajectory> trajectory = stored_trajectory(*file).of_frame(0, 1);
    if (trajectory->sample_count() != samples) {
        throw InputError(fmt::format("{}: /trajectory has {} positions, expected {}, because {} is {}", path_,
                                     trajectory->sample_count(), samples, name, info.text()));
    }
    std::vector<FrameLabel> labels;
    for (Index volume = 0; volume < volumes; ++volume) {
        for (Index slab = 0; slab < slabs; ++slab) {
            FrameLabel& label = labels.emplace_back();
            label.repetition = volume;
            label.slice = slab;
        }
    }
    for (const std::size_t i : options.selection.pick(labels, path_)) {
        Frame& frame = scan.frames.emplace_back();
        frame.label = labels[i];
        frame.trajectory = trajectory;
        frame.read_kspace = [file, name, samples, channels, label = labels[i]] {
            return channels_last(file->read_rows<cfloat>(name, label.repetition, 1), label.slice * samples, samples,
                                 channels);
        };
    }
    take_geometry(*file, stored);
    return stored;
}

}  // namespace recon
