#include "data/describe_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "core/base/error.hpp"
#include "core/mri/off_resonance/field_map.hpp"
#include "data/files/crash_guard.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/reading/format.hpp"
#include "data/reading/scan_checks.hpp"
#include "data/reading/scan_conversion.hpp"
#include "data/reading/scan_reader.hpp"

namespace recon {
namespace {

std::string line(const std::string& name, const std::string& value) { return fmt::format("  {:<18}{}\n", name, value); }

std::string known(double value) { return value > 0 ? fmt::format("{:.6g}", value) : "?"; }

std::string per_axis(const PerAxis<double>& values) {
    return fmt::format("{} x {} x {}", known(values[0]), known(values[1]), known(values[2]));
}

std::string unit_text(const StoredScan& stored) {
    const PerAxis<double> extent = trajectory_extent(stored.scan.frames);
    std::string text = fmt::format("|k| up to {:.6g}, {:.6g}, {:.6g} in x, y, z", extent[0], extent[1], extent[2]);
    if (stored.stated_unit) {
        return text + fmt::format("; unit {}, stated by {}", name_of(*stored.stated_unit), stored.stated_where);
    }
    try {
        const TrajectoryUnit unit = guess_trajectory_unit(extent, stored.scan.geometry, stored.scan.path);
        return text + fmt::format("; unit {}, by that range", name_of(unit));
    } catch (const InputError&) {
        return text + "; unit unknown, give `trajectory_unit`";
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

std::string orientation_text(const std::optional<Orientation>& orientation) {
    if (!orientation) {
        return "unknown";
    }
    const auto vector = [](const PerAxis<double>& v) {
        return fmt::format("({:.4g}, {:.4g}, {:.4g})", v[0], v[1], v[2]);
    };
    return fmt::format("centre {} mm, x along {}, y along {}, z along {} (LPS)", vector(orientation->centre_mm),
                       vector(orientation->x_direction), vector(orientation->y_direction),
                       vector(orientation->z_direction));
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

std::string describe_image(const std::string& path, const Format& format) {
    const Image image = format.read_image(path, "").image;
    const Geometry& geometry = image.geometry;
    std::string text = fmt::format("{}: image, {}\n", path, format.title);
    text += line("matrix", fmt::format("{} x {} x {} voxels", geometry.matrix_size[0], geometry.matrix_size[1],
                                       geometry.matrix_size[2]));
    text += line("field of view", per_axis(geometry.field_of_view_mm) + " mm");
    text += line("voxel size", per_axis(geometry.voxel_size_mm()) + " mm");
    text += line("orientation", orientation_text(geometry.orientation));
    text += line("volumes", fmt::format("{}", image.frame_count()));
    float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
    Index not_finite = 0;
    bool is_complex = false;
    for (const cfloat& value : image.voxels) {
        if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) {
            ++not_finite;
            continue;
        }
        is_complex = is_complex || value.imag() != 0;
        lowest = std::min(lowest, value.real());
        highest = std::max(highest, value.real());
    }
    text += line("values", fmt::format("{}{:.5g} to {:.5g}{}", is_complex ? "complex, real part " : "", lowest, highest,
                                       not_finite > 0 ? fmt::format(", {} not finite", not_finite) : ""));
    return text;
}

std::string describe_scan(const ScanReader& reader) {
    StoredScan stored = reader.read({});
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
    text += line("field of view", per_axis(scan.geometry.field_of_view_mm) + " mm");
    if (m[0] > 0) {
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

}  // namespace

std::string describe_file(const std::string& path) {
    const CrashGuard guard(path);
    if (H5File::looks_like_hdf5(path)) {
        std::unique_ptr<ScanReader> reader = find_scan_reader(path);
        if (reader == nullptr) {
            const H5File file = H5File::open(path);
            std::string text = fmt::format("{}: HDF5 file\n", path);
            describe_group(file, "", 1, text);
            return text;
        }
        return describe_scan(*reader);
    }
    const Format* image_format = format_of(path, &Format::read_image);
    const bool is_image_alone = image_format != nullptr && format_of(path, &Format::scan_reader) == nullptr;
    return is_image_alone ? describe_image(path, *image_format) : describe_scan(*open_scan(path));
}

}  // namespace recon
