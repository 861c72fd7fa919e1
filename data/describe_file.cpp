#include "data/describe_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>

#include "core/base/error.hpp"
#include "core/mri/off_resonance/field_map.hpp"
#include "data/describe_image.hpp"
#include "data/files/file_identity.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/reading/format.hpp"
#include "data/reading/scan/frame_labels.hpp"
#include "data/reading/scan/image_axes.hpp"
#include "data/reading/scan/scan_checks.hpp"
#include "data/reading/scan_conversion.hpp"
#include "data/reading/scan_reader.hpp"
#include "data/reading/trajectory_file.hpp"

namespace recon {
namespace {

std::string unit_text(const StoredScan& stored) {
    const PerAxis<double> extent = trajectory_extent(stored.scan.frames);
    std::string text = fmt::format("|k| up to {:.6g}, {:.6g}, {:.6g} in x, y, z", extent[0], extent[1], extent[2]);
    if (stored.stated_unit) {
        return text + fmt::format("; unit {}, stated by {}", name_of(*stored.stated_unit), stored.stated_where);
    }
    if (stored.scan.geometry.matrix_size[0] == 0) {
        return text + "; its unit can be told once the matrix is known: give `matrix`, or `trajectory_unit`";
    }
    try {
        const TrajectoryUnit unit = guess_trajectory_unit(extent, stored.scan.geometry, stored.scan.path);
        return text + fmt::format("; unit {}, by that range", name_of(unit));
    } catch (const InputError&) {
        return text + "; no unit fits that range and matrix: give `trajectory_unit`, or another `matrix`";
    }
}

std::string times_text(const std::vector<Frame>& frames) {
    std::optional<std::pair<float, float>> range;
    for (const Frame& frame : frames) {
        for (const float time : frame.sample_times_s) {
            range =
                range ? std::pair(std::min(range->first, time), std::max(range->second, time)) : std::pair(time, time);
        }
    }
    return range ? fmt::format("{:.6g} to {:.6g} ms after excitation", 1000 * range->first, 1000 * range->second)
                 : "unknown";
}

std::string samples_text(const Scan& scan) {
    std::set<Index> counts;
    for (const Frame& frame : scan.frames) {
        counts.insert(frame.sample_count());
    }
    const Index readout = scan.samples_per_readout;
    std::string text = counts.size() == 1 ? fmt::format("{} a frame", *counts.begin())
                                          : fmt::format("{} to {} a frame", *counts.begin(), *counts.rbegin());
    return readout > 0 && counts.size() == 1
               ? text + fmt::format(" ({} readouts of {})", *counts.begin() / readout, readout)
               : text;
}

std::string map_range_text(std::span<const float> map_hz) {
    const FieldMapRange range = range_of(map_hz);
    std::string text = fmt::format("{:.5g} to {:.5g} Hz", range.lowest_hz, range.highest_hz);
    return range.measured_fraction < 1
               ? text + fmt::format(", 0 on {:.0f} % of the voxels", 100 * (1 - range.measured_fraction))
               : text;
}

/// Range, and the phase that voxels gain on each other while the first frame's samples are taken.
std::string field_map_text(const Scan& scan) {
    const std::vector<float>& map_hz = scan.off_resonance_hz;
    if (map_hz.empty()) {
        return "none";
    }
    const double duration_s = duration_of(scan.frames[0].sample_times_s);
    const FieldMapRange range = range_of(map_hz);
    return map_range_text(map_hz) +
           (duration_s > 0 ? fmt::format("; {:.3g} turns of phase over {:.4g} ms of samples",
                                         (range.highest_hz - range.lowest_hz) * duration_s, 1000 * duration_s)
                           : "");
}

std::string describe_scan(const ScanReader& reader, const ScanReadOptions& options) {
    StoredScan stored = reader.read(options);
    if (!options.trajectory_path.empty() && !stored.took_trajectory) {
        replace_trajectory(stored, read_trajectory(options.trajectory_path));
    }
    Geometry& geometry = stored.scan.geometry;
    if (options.matrix_size && geometry.matrix_size[0] == 0) {
        geometry.matrix_size = completed(*options.matrix_size, image_axes(stored.scan), {1, 1, 1});
    } else if (stored.matrix_by_trajectory && geometry.matrix_size[0] == 0) {
        geometry.matrix_size = matrix_of_trajectory(stored.scan.frames);
        stored.notes.emplace_back(
            "the matrix is twice the farthest positions, as the file says none; `matrix` gives others");
    }

    if (options.field_of_view_mm && geometry.field_of_view_mm == PerAxis<double>{0, 0, 0}) {
        geometry.field_of_view_mm = completed(*options.field_of_view_mm, image_axes(stored.scan), {0, 0, 0});
    }
    Scan& scan = stored.scan;
    const PerAxis<Index>& m = scan.geometry.matrix_size;
    std::vector<FrameLabel> labels;
    std::set<const Trajectory*> trajectories;
    for (const Frame& frame : scan.frames) {
        labels.push_back(frame.label);
        trajectories.insert(frame.trajectory.get());
    }
    std::string text = fmt::format("{}: scan, {}\n", scan.path, scan.format);
    text += line("matrix", m[0] > 0 ? fmt::format("{} x {} x {} voxels", m[0], m[1], m[2]) : "unknown, give `matrix`");
    const bool has_lengths = scan.geometry.field_of_view_mm != PerAxis<double>{0, 0, 0};
    text += line("field of view",
                 has_lengths ? per_axis(scan.geometry.field_of_view_mm) + " mm" : "unknown; `fov` gives it");
    if (m[0] > 0 && has_lengths) {
        text += line("voxel size", per_axis(scan.geometry.voxel_size_mm()) + " mm");
    }
    text += line("orientation", orientation_text(scan.geometry.orientation));
    text += line("frames", fmt::format("{} ({})", scan.frames.size(), summary_of(labels)));
    text += line("coils", fmt::format("{}", scan.coil_count));
    text += line("samples", samples_text(scan));
    text +=
        line("trajectory", unit_text(stored) +
                               (scan.frames.size() > 1 && trajectories.size() == 1 ? "; the same in all frames" : ""));
    text += line("sample times", times_text(scan.frames));
    text += line("density weights", scan.frames[0].density_weights.empty() ? "none" : "yes");
    text += line("coil maps", scan.coil_maps.empty() ? "none" : "yes");
    text += line("field map", field_map_text(scan));
    text += line("noise", fmt::format("{} samples a coil", static_cast<Index>(scan.noise.size()) / scan.coil_count));
    for (const std::string& note : stored.notes) {
        text += line("note", note);
    }
    try {
        if (m[0] > 0) {
            check_scan(scan);
            for (Frame& frame : scan.frames) {
                frame.load();
                frame.release();
            }
        }
    } catch (const InputError& error) {
        text += line("problem", error.what());
    }
    return text;
}

std::string attribute_text(const H5File& file, const std::string& object, const std::string& name) {
    const H5Info info = file.attribute_info(object, name);
    constexpr Index shown = 8;
    if (info.element_count() > shown) {
        return info.text();
    }
    switch (info.kind) {
        case H5Kind::text: return fmt::format("{}", fmt::join(file.read_attribute<std::string>(object, name), ", "));
        case H5Kind::integer: return fmt::format("{}", fmt::join(file.read_attribute<Index>(object, name), ", "));
        case H5Kind::real: return fmt::format("{:.6g}", fmt::join(file.read_attribute<double>(object, name), ", "));
        case H5Kind::complex:
        case H5Kind::other: break;
    }
    return info.text();
}

/// Greatest magnitude of arrays that fit in memory without a thought.
std::string magnitude_text(const H5File& file, const std::string& dataset, const H5Info& info) {
    constexpr Index largest = Index{1} << 24;
    const bool numbers = info.kind == H5Kind::complex || info.kind == H5Kind::real || info.kind == H5Kind::integer;
    if (!numbers || info.element_count() > largest || info.element_count() == 0) {
        return "";
    }
    double greatest = 0;
    Index not_finite = 0;
    for (const cdouble& value : file.read<cdouble>(dataset)) {
        const double magnitude = std::abs(value);
        not_finite += std::isfinite(magnitude) ? 0 : 1;
        greatest = std::isfinite(magnitude) ? std::max(greatest, magnitude) : greatest;
    }
    return fmt::format(", magnitude up to {:.5g}{}", greatest,
                       not_finite > 0 ? fmt::format(", {} not finite", not_finite) : "");
}

void describe_group(const H5File& file, const std::string& group, int depth, std::string& text) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    for (const std::string& name : file.attribute_names(group.empty() ? "/" : group)) {
        text += fmt::format("{}@{} = {}\n", indent, name, attribute_text(file, group.empty() ? "/" : group, name));
    }
    constexpr int deepest = 8;
    constexpr std::size_t longest = 100'000;
    for (const std::string& name : file.names_in(group.empty() ? "/" : group)) {
        const std::string path = group + "/" + name;
        if (text.size() > longest) {
            text += indent + "...\n";
            return;
        }
        if (file.has_dataset(path)) {
            const H5Info info = file.dataset_info(path);
            text += fmt::format("{}{}: {}{}\n", indent, name, info.text(), magnitude_text(file, path, info));
            for (const std::string& attribute : file.attribute_names(path)) {
                text += fmt::format("{}  @{} = {}\n", indent, attribute, attribute_text(file, path, attribute));
            }
        } else if (file.has_group(path) && depth < deepest) {
            text += fmt::format("{}{}/\n", indent, name);
            describe_group(file, path, depth + 1, text);
        }
    }
}

/// Nothing where there is no image in it.
std::optional<std::string> image_description(const std::string& path, const Format& format) {
    try {
        return describe_image(path, format);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace

std::string describe_file(const std::string& path, const ScanReadOptions& options) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        throw missing_file(path);
    }
    require_file_or_folder(path);
    const Format* const scan = format_of(path, &Format::scan_reader);
    const Format* const image = format_of(path, &Format::read_image);
    const Format* const array = format_of(path, &Format::read_array);
    if (scan != nullptr && scan != array) {
        try {
            return describe_scan(*scan->scan_reader(path), options);
        } catch (const InputError&) {
            // A stream may hold either.
            const auto text = scan == image ? image_description(path, *image) : std::nullopt;
            if (!text) {
                throw;
            }
            return *text;
        }
    }
    if (scan != nullptr) {  // it may be a scan, an image or maps: only the trajectory tells
        try {
            return describe_scan(*scan->scan_reader(path), options);
        } catch (const InputError& error) {
            return describe_array(path, *array) + line("as a scan", error.what());
        }
    }
    if (H5File::looks_like_hdf5(path)) {
        const H5File file = H5File::open(path);
        std::string text = file.has_dataset("/image") ? describe_image(path, *image) + "\n" : "";
        text += fmt::format("{}: HDF5 file\n", path);
        describe_group(file, "", 1, text);
        return text;
    }
    if (image != nullptr) {
        return describe_image(path, *image);
    }
    return array != nullptr ? describe_array(path, *array) : describe_scan(*open_scan(path), options);
}

}  // namespace recon
