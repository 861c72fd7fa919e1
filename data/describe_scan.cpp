#include "data/describe_scan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/mri/off_resonance/field_map.hpp"
#include "data/describe_image.hpp"
#include "data/reading/maps_of_coils.hpp"
#include "data/reading/maps_of_slices.hpp"
#include "data/reading/scan/frame_labels.hpp"
#include "data/reading/scan/image_axes.hpp"
#include "data/reading/scan/scan_checks.hpp"
#include "data/reading/scan_conversion.hpp"
#include "data/reading/stored_field_maps.hpp"
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
                 : "unknown, `dwell` gives them";
}

/// What the file says of how it was measured: "3 T, TR 8 ms, TE 0.1 ms, flip angle 10 degrees".
std::string sequence_text(const Measurement& measurement) {
    std::vector<std::string> parts;
    const auto add = [&](const std::optional<double>& value, const char* form, double factor) {
        if (value) {
            parts.push_back(fmt::format(fmt::runtime(form), factor * *value));
        }
    };
    if (!measurement.sequence.empty()) {
        parts.push_back(measurement.sequence);
    }
    add(measurement.field_strength_t, "{:.4g} T", 1);
    add(measurement.repetition_time_s, "TR {:.4g} ms", 1000);
    for (const double echo_time_s : measurement.echo_times_s) {
        add(echo_time_s, "TE {:.4g} ms", 1000);
    }
    add(measurement.inversion_time_s, "TI {:.4g} ms", 1000);
    add(measurement.flip_angle_deg, "flip angle {:.4g} degrees", 1);
    return fmt::format("{}", fmt::join(parts, ", "));
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
               ? text + fmt::format(" ({} of {})", counted(*counts.begin() / readout, "readout"), readout)
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
std::string field_map_text(const StoredScan& stored) {
    const Scan& scan = stored.scan;
    const std::vector<float>& map_hz = scan.off_resonance_hz;
    if (map_hz.empty()) {
        return "none";
    }
    const double duration_s = duration_of(scan.frames[0].sample_times_s);
    const FieldMapRange range = range_of(map_hz);
    const auto [nx, ny, nz] = scan.geometry.matrix_size;
    const Index slices = slices_of_maps(stored.field_map_extents, {nz, ny, nx});
    return (slices > 1 ? fmt::format("of each of {} slices, ", slices) : "") + map_range_text(map_hz) +
           (duration_s > 0 ? fmt::format("; {:.3g} turns of phase over {:.4g} ms of samples",
                                         (range.highest_hz - range.lowest_hz) * duration_s, 1000 * duration_s)
                           : "");
}

}  // namespace

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
    text +=
        line("frames", scan.frames.size() > 1 ? fmt::format("{} ({})", scan.frames.size(), summary_of(labels)) : "1");
    text += line("coils", fmt::format("{}", scan.coil_count));
    text += line("samples", samples_text(scan));
    text +=
        line("trajectory", unit_text(stored) +
                               (scan.frames.size() > 1 && trajectories.size() == 1 ? "; the same in all frames" : ""));
    text += line("sample times", times_text(scan.frames));
    const std::string sequence = sequence_text(scan.measurement);
    text += sequence.empty() ? "" : line("sequence", sequence);
    text += line("density weights", scan.frames[0].density_weights.empty() ? "none" : "yes");
    text += line("coil maps", !scan.coil_maps.empty() ? "yes"
                              : scan.coil_count > 1   ? "none; they will be estimated"
                                                      : "none");
    text += line("field map", field_map_text(stored));
    text += line("noise", scan.noise.empty() ? "not measured"
                                             : fmt::format("{} samples a coil",
                                                           static_cast<Index>(scan.noise.size()) / scan.coil_count));
    for (const std::string& note : stored.notes) {
        text += line("note", note);
    }
    try {
        if (m[0] > 0) {
            arrange_coil_maps(stored);
            arrange_field_maps(stored);
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

}  // namespace recon
