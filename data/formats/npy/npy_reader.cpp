#include "data/formats/npy/npy_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/formats/npy/npy_array.hpp"
#include "data/formats/npy/numbers_of_samples.hpp"
#include "data/formats/npy/read_bytes.hpp"
#include "data/reading/scan/frame_labels.hpp"
#include "data/reading/scan/likely_names.hpp"
#include "data/reading/trajectory_file.hpp"

namespace recon {
namespace {

constexpr std::string_view extension = ".npy";

/// How many frames and coils there are in front of the samples of a k-space array.
struct KspaceAxes {
    Index frame_count = 1;
    Index coil_count = 1;
};

/// The last axes are the samples of the trajectory, in whatever axes these are; [coil] or [frame, coil] lie before
/// them. Where samples are one axis, a 1 before them is the readout: [coil, 1, sample], as of a single spiral.
KspaceAxes axes_of(const StoredArray& kspace, const StoredTrajectory& trajectory) {
    const Index samples = trajectory.frames.front()->sample_count();
    if (kspace.element_count() == 0) {
        throw InputError(fmt::format("{}: is {}: no numbers, expected k-space", kspace.where, kspace.extents_text()));
    }
    std::vector<Index> before = kspace.extents;
    Index covered = 1;
    std::size_t axes_of_samples = 0;
    for (; !before.empty() && (covered < samples || axes_of_samples == 0); ++axes_of_samples) {
        covered *= before.back();
        before.pop_back();
    }
    if (axes_of_samples == 1 && before.size() > 1 && before.back() == 1) {
        before.pop_back();
    }
    const auto trajectories = static_cast<Index>(trajectory.frames.size());
    const bool of_one_coil = before.size() == 1 && trajectories > 1 && before[0] == trajectories;
    if (covered != samples || before.size() > 2) {
        throw InputError(
            fmt::format("{}: is {}, expected [coil, sample], [coil, readout, sample] or [frame, coil, "
                        "readout, sample] with the {} samples that {} has positions for",
                        kspace.where, kspace.extents_text(), samples, trajectory.where));
    }
    const Index length = trajectory.samples_per_readout;
    if (axes_of_samples > 1 && length > 0 && kspace.extents.back() != length) {
        throw InputError(
            fmt::format("{}: is {}, expected {} samples along its last axis, as {} has positions along a "
                        "readout: are readouts and samples exchanged in one of them?",
                        kspace.where, kspace.extents_text(), length, trajectory.where));
    }
    KspaceAxes axes;
    if (before.size() == 2 || of_one_coil) {
        axes.frame_count = before[0];
    }
    if (!before.empty() && !of_one_coil) {
        axes.coil_count = before.back();
    }
    return axes;
}

std::vector<double> numbers(const NpyArrays& arrays, const std::string& name) {
    return arrays.has(name) ? arrays.read(name).take_real() : std::vector<double>();
}

template <class T>
void take_per_axis(const NpyArrays& arrays, const std::string& name, T missing, PerAxis<T>& to) {
    const std::vector<double> values = numbers(arrays, name);
    if (values.empty()) {
        return;
    }
    constexpr bool is_count = std::is_same_v<T, Index>;
    const bool plausible = std::all_of(values.begin(), values.end(), [](double value) {
        return std::isfinite(value) && std::abs(value) < 1e9 && (!is_count || value == std::floor(value));
    });
    if (values.size() > 3 || !plausible) {
        throw InputError(fmt::format("{}: is {}, expected 1 to 3 {} x, y, z", arrays.read(name).where,
                                     fmt::join(values, ", "), is_count ? "whole numbers" : "numbers"));
    }
    to = {missing, missing, missing};
    std::transform(values.begin(), values.end(), to.begin(), [](double value) { return static_cast<T>(value); });
}

/// @param kspace  the name of the array that was taken for it
void log_unread_arrays(const NpyArrays& arrays, const std::string& path, const std::string& kspace) {
    const std::vector<std::string> layout{
        "trajectory",      "trajectory_unit", "matrix_size", "field_of_view_mm", "sample_times_s",
        "density_weights", "frame_labels",    "coil_maps",   "off_resonance_hz", "noise"};
    std::vector<UnreadName> unknown;
    for (const std::string& name : names_without(arrays.names(), layout)) {
        if (name != kspace) {
            unknown.push_back({"array", name});
        }
    }
    log_unread_names(path, unknown, names_without(layout, arrays.names()));
}

/// As `/frame_labels` of the project's HDF5.
std::vector<FrameLabel> labels_of(const NpyArrays& arrays, Index frame_count) {
    if (!arrays.has("frame_labels")) {
        return counted_labels(frame_count);
    }
    StoredArray array = arrays.read("frame_labels");
    const std::vector<double> values = array.take_real();
    const bool are_labels = std::ranges::all_of(
        values, [](double value) { return value >= 0 && value < 1e9 && value == std::floor(value); });
    if (array.extents != std::vector<Index>{frame_count, std::ssize(label_parts)} || !are_labels) {
        throw InputError(
            fmt::format("{}: is {}, expected [{} frames, {}] of whole numbers from 0: contrast, "
                        "repetition, set, slice, phase",
                        array.where, array.extents_text(), frame_count, label_parts.size()));
    }
    return labels_of_rows(std::vector<Index>(values.begin(), values.end()));
}

/// Those of a sequence, of which [frame, coil, readout, sample] is measured frame by frame, unless these are slices.
StoredTrajectory for_frames_of(const NpyArrays& arrays, const StoredArray& kspace, const StoredTrajectory& trajectory) {
    const std::vector<Index>& n = kspace.extents;
    return n.size() == 4 ? trajectory.divided(n[0], n[2] * n[3], !have_slices(labels_of(arrays, n[0]))) : trajectory;
}

}  // namespace

NpyArrays::NpyArrays(const std::string& path) : path_(path), bytes_(read_bytes(path)) {
    if (!is_npy(bytes_)) {
        archive_.emplace(std::move(bytes_), path);
    }
}

std::vector<std::string> NpyArrays::names() const {
    if (!archive_) {
        return {""};
    }
    std::vector<std::string> names;
    for (const std::string& name : archive_->names()) {
        if (name.ends_with(extension)) {
            names.push_back(name.substr(0, name.size() - extension.size()));
        }
    }
    return names;
}

bool NpyArrays::has(const std::string& name) const {
    return archive_ ? archive_->has(name + std::string(extension)) : name.empty();
}

StoredArray NpyArrays::read(const std::string& name) const {
    return archive_ ? parse_npy(archive_->read(name + std::string(extension)), path_ + ", array " + name)
                    : parse_npy(bytes_, path_);
}

std::string NpyArrays::read_text(const std::string& name) const {
    return parse_npy_text(archive_->read(name + std::string(extension)), path_ + ", array " + name);
}

StoredScan NpyReader::read(const ScanReadOptions& options) const {
    const NpyArrays arrays(path_);
    const std::string name = choose_array(arrays.names(), {"", {"kspace", "data"}}, path_);
    log_unread_arrays(arrays, path_, name);
    StoredArray kspace = arrays.read(name);
    const bool from_elsewhere = !options.trajectory_path.empty();
    if (!from_elsewhere && !arrays.has("trajectory")) {
        throw InputError(
            fmt::format("{}: has no trajectory; give it with `trajectory`, a file of [readout, sample, "
                        "dimension]",
                        path_));
    }
    const StoredTrajectory trajectory = from_elsewhere
                                            ? for_frames_of(arrays, kspace, read_trajectory(options.trajectory_path))
                                            : trajectory_of(arrays.read("trajectory"));
    const KspaceAxes axes = axes_of(kspace, trajectory);

    StoredScan stored;
    stored.took_trajectory = true;
    stored.stated_unit = trajectory.unit;
    stored.stated_where = trajectory.unit_stated_by;
    if (!from_elsewhere && arrays.has("trajectory_unit")) {
        const std::string unit = arrays.read_text("trajectory_unit");
        stored.stated_unit = recognise_trajectory_unit(unit);
        stored.stated_where = "trajectory_unit in the file";
        if (!stored.stated_unit) {
            log_warning("{}: the unit \"{}\" of the trajectory is not known; trying the range", path_, unit);
        }
    }
    Scan& scan = stored.scan;
    scan.path = path_;
    scan.format = format();
    scan.coil_count = axes.coil_count;
    scan.samples_per_readout = trajectory.samples_per_readout;
    scan.geometry.matrix_size = {0, 0, 0};
    take_per_axis<Index>(arrays, "matrix_size", 1, scan.geometry.matrix_size);
    take_per_axis<double>(arrays, "field_of_view_mm", 0, scan.geometry.field_of_view_mm);
    take_field_of_view(stored, trajectory);
    stored.matrix_by_trajectory = stored.stated_unit == TrajectoryUnit::cycles_per_fov;

    const std::vector<cfloat> values = kspace.take_complex();
    const NumbersOfSamples times(arrays, "sample_times_s", trajectory, kspace, axes.frame_count);
    const NumbersOfSamples weights(arrays, "density_weights", trajectory, kspace, axes.frame_count);
    const std::vector<FrameLabel> labels = labels_of(arrays, axes.frame_count);
    stored.has_slices = have_slices(labels);
    for (const std::size_t i : options.selection.pick(labels, path_)) {
        Frame& frame = scan.frames.emplace_back();
        frame.label = labels[i];
        frame.trajectory = trajectory.of_frame(static_cast<Index>(i), axes.frame_count);
        const auto block = static_cast<std::ptrdiff_t>(values.size() / labels.size());
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(i) * block;
        frame.kspace.assign(first, first + block);
        frame.sample_times_s = times.of_frame(i);
        frame.density_weights = weights.of_frame(i);
    }
    std::ranges::stable_sort(scan.frames, {}, &Frame::label);
    if (arrays.has("coil_maps")) {
        StoredArray maps = arrays.read("coil_maps");
        stored.coil_map_extents = maps.extents;
        scan.coil_maps = maps.take_complex();
    }
    if (arrays.has("noise")) {
        StoredArray noise = arrays.read("noise");
        if (without_ones(noise.extents) != without_ones({scan.coil_count, noise.element_count() / scan.coil_count})) {
            throw InputError(fmt::format("{}: is {}, expected [{} coils, samples]", noise.where, noise.extents_text(),
                                         scan.coil_count));
        }
        scan.noise = noise.take_complex();
    }
    if (arrays.has("off_resonance_hz")) {
        StoredArray map_hz = arrays.read("off_resonance_hz");
        stored.field_map_name = "off_resonance_hz";
        stored.field_map_extents = map_hz.extents;
        const std::vector<double> values = map_hz.take_real();
        scan.off_resonance_hz.assign(values.begin(), values.end());
    }
    return stored;
}

}  // namespace recon
