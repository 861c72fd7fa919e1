#include "data/reading/scan_conversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/mri/check/unmeasured_samples.hpp"
#include "core/mri/off_resonance/field_map.hpp"
#include "core/mri/off_resonance/field_maps_of_slices.hpp"
#include "data/reading/array_reader.hpp"
#include "data/reading/band_rule.hpp"
#include "data/reading/maps_of_coils.hpp"
#include "data/reading/scan/image_axes.hpp"
#include "data/reading/scan/replaced_trajectories.hpp"
#include "data/reading/scan/scan_checks.hpp"
#include "data/reading/stored/file_and_dataset.hpp"
#include "data/reading/stored_field_maps.hpp"

namespace recon {
namespace {

void scale_trajectories(Scan& scan, const PerAxis<double>& factor) {
    const auto scaled_by_factor = [&](const Trajectory& trajectory) {
        Trajectory scaled = trajectory;
        for (int axis = 0; axis < 3; ++axis) {
            for (double& k : scaled.k[axis]) {
                k *= factor[axis];
            }
        }
        return scaled;
    };
    replace_trajectories(scan.frames, scaled_by_factor);
    replace_trajectories(scan.calibration, scaled_by_factor);
}

/// Coil maps computed for the file's own image say nothing about another one; the field map is resampled onto it.
/// @param before  the file's own image
void carry_maps(Scan& scan, const Geometry& before, const char* option) {
    if (!scan.coil_maps.empty() || scan.read_coil_maps) {
        log_warning("{}: the coil maps in the file are for another image and are not used", option);
        scan.coil_maps.clear();
        scan.read_coil_maps = nullptr;
        scan.coil_map_slices.clear();
    }
    if (scan.off_resonance_hz.empty()) {
        return;
    }
    try {
        std::vector<float> carried;
        std::string text;
        for_each_field_map(std::as_const(scan), [&](std::span<const float> map_hz, std::optional<Index>) {
            const Resampled<float> map = resample_field_map(map_hz, before, scan.geometry, scan.path);
            carried.insert(carried.end(), map.voxels.begin(), map.voxels.end());
            text = map.text;
        });
        log_info("{}: the field map in the file is {}", option, text);
        scan.off_resonance_hz = std::move(carried);
    } catch (const InputError& error) {
        log_warning("{}: the field map in the file is for another image and is not used ({})", option, error.what());
        scan.off_resonance_hz.clear();
        scan.off_resonance_slices.clear();
    }
}

void convert_unit(StoredScan& stored, const ScanReadOptions& options) {
    Scan& scan = stored.scan;
    PerAxis<double> extent = trajectory_extent(scan.frames);
    Geometry judged = scan.geometry;
    if (stored.z_in_cycles_per_fov) {
        extent[2] = 0;
        judged.matrix_size[2] = 1;
    }
    const TrajectoryUnit unit = decide_trajectory_unit(options.trajectory_unit, stored.stated_unit, stored.stated_where,
                                                       extent, judged, scan.path);
    PerAxis<double> factor = factor_to_cycles_per_fov(unit, scan.geometry);
    if (stored.z_in_cycles_per_fov) {
        factor[2] = 1;
    }
    const PerAxis<bool> moving = moving_axes(extent);
    for (int axis = 0; axis < 3; ++axis) {
        if (!moving[axis] && std::isnan(factor[axis])) {
            factor[axis] = 0;  // what rounding leaves of an axis is none, and needs no field of view
        }
    }
    if (factor == PerAxis<double>{1, 1, 1}) {
        return;
    }
    if (std::any_of(factor.begin(), factor.end(), [](double f) { return std::isnan(f); })) {
        throw InputError(fmt::format("{}: the trajectory is in {}, but {}", scan.path, name_of(unit),
                                     unknown_field_of_view(scan.geometry)));
    }
    scale_trajectories(scan, factor);
}

/// k in cycles per field of view grows with the field of view: the same position in 1/m.
/// @return whether it is another one
bool override_field_of_view(Scan& scan, const PerAxis<double>& wanted) {
    PerAxis<double> factor{1, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
        const double stated = scan.geometry.field_of_view_mm[axis];
        factor[axis] = stated > 0 ? wanted[axis] / stated : 1;
    }
    scan.geometry.field_of_view_mm = wanted;
    if (factor != PerAxis<double>{1, 1, 1}) {
        scale_trajectories(scan, factor);
        return true;
    }
    return false;
}

/// Of another unit than mm, likely: nobody is smaller than a millimetre, and no scanner sees three metres.
void doubt_field_of_view(const Scan& scan) {
    constexpr double least_mm = 1, most_mm = 3000;
    const double largest = std::ranges::max(scan.geometry.field_of_view_mm);
    if (largest > 0 && (largest < least_mm || largest > most_mm)) {
        log_warning("{}: a field of view of {:.4g} mm, expected {} to {} mm: is it in {}? `fov` gives it in mm",
                    scan.path, largest, least_mm, most_mm, largest < least_mm ? "metres" : "micrometres");
    }
}

void apply_fixes(const std::vector<ScanFix>& fixes, Scan& scan) {
    for (const ScanFix& fix : fixes) {
        if (!fix.is_of_maps()) {
            apply(fix, scan);
            log_info("fix {} applied: {}", fix.text(), fix.mistake());
        }
    }
}

/// From sums with the factor 1/sqrt(voxels) to plain ones.
void undo_unitary_scale(Scan& scan) {
    const PerAxis<Index>& matrix = scan.geometry.matrix_size;
    const auto factor = static_cast<float>(std::sqrt(static_cast<double>(matrix[0] * matrix[1] * matrix[2])));
    log_info("k-space is multiplied by {:.6g}: sums without the factor of a unitary transform, and noise in their unit",
             factor);
    transform_all_kspace(scan, [factor](std::vector<cfloat>& kspace) {
        for (cfloat& value : kspace) {
            value *= factor;
        }
    });
}

/// A fit by weights never sees readouts, or their ends, whose weights are 0, and nothing else should. (Within readouts
/// it may mean a position, as k = 0 has it where weights are |k|, and not the sample.)
void leave_out_unweighted(Scan& scan) {
    std::vector<UnmeasuredSamples> of_frames;
    Index all = 0, left = 0;
    for (const Frame& frame : scan.frames) {
        of_frames.push_back(find_unweighted(frame.density_weights.values(), scan.samples_per_readout));
        all += frame.sample_count();
    }
    drop_unmeasured(scan, of_frames);
    for (const Frame& frame : scan.frames) {
        left += frame.sample_count();
    }
    if (left < all) {
        log_info("{} of {} samples, of whole readouts or at their ends, have the weight 0 and are left out", all - left,
                 all);
    }
}

/// By the scan's own coil maps, or those of a file.
std::optional<PerAxis<Index>> matrix_of_maps(const StoredScan& stored, const ScanReadOptions& options) {
    std::vector<Index> extents = stored.coil_map_extents;
    if (const FileAndDataset file = parse_file_and_dataset(options.coil_maps); std::filesystem::exists(file.path)) {
        extents = extents_of_coil_maps(file.path, file.dataset);
    }
    const std::optional<PerAxis<Index>> matrix = matrix_of_coil_maps(extents, stored.scan.coil_count);
    if (matrix) {
        log_info("matrix: {} x {} x {}, that of the coil maps", (*matrix)[0], (*matrix)[1], (*matrix)[2]);
    }
    return matrix;
}

}  // namespace

Scan convert_scan(StoredScan stored, const ScanReadOptions& options) {
    Scan& scan = stored.scan;
    for (const std::string& note : stored.notes) {
        log_info("{}", note);
    }
    PerAxis<Index>& matrix = scan.geometry.matrix_size;
    const bool in_cycles_per_fov =
        options.trajectory_unit.value_or(stored.stated_unit.value_or(TrajectoryUnit::cycles_per_voxel)) ==
        TrajectoryUnit::cycles_per_fov;
    if (in_cycles_per_fov) {  // before anything is made of the positions
        check_trajectories(scan);
        apply_fixes(options.fixes, scan);
    }
    if (matrix == PerAxis<Index>{0, 0, 0} && !options.matrix_size && stored.matrix_by_trajectory && in_cycles_per_fov) {
        matrix = matrix_of_maps(stored, options).value_or(matrix_of_trajectory(scan.frames));
        constexpr Index fewest = 7;  // positions up to 0.5 or pi, in other units, make fewer
        if (*std::ranges::max_element(matrix) < fewest) {
            throw InputError(
                fmt::format("{}: in cycles per field of view the trajectory's positions make an image of {} x {} x {} "
                            "voxels; if they are in cycles or radians per voxel give `trajectory_unit` and `matrix`, "
                            "and if not `matrix`",
                            scan.path, matrix[0], matrix[1], matrix[2]));
        }
    }
    const bool matrix_known = matrix != PerAxis<Index>{0, 0, 0};
    if (!matrix_known && !options.matrix_size) {
        throw InputError(
            fmt::format("{}: the file does not say how many voxels the image has; give `matrix`", scan.path));
    }
    const PerAxis<bool> axes = image_axes(scan);
    const PerAxis<Index> asked_matrix =
        options.matrix_size ? completed(*options.matrix_size, axes, {1, 1, 1}) : PerAxis<Index>(matrix);
    const PerAxis<double> asked_field_of_view_mm =
        options.field_of_view_mm ? completed(*options.field_of_view_mm, axes, scan.geometry.field_of_view_mm)
                                 : scan.geometry.field_of_view_mm;
    if (!matrix_known) {
        matrix = asked_matrix;
    }
    check_matrix_size(matrix, scan.path);
    arrange_coil_maps(stored);
    arrange_field_maps(stored);
    if (scan.geometry.field_of_view_mm == PerAxis<double>{0, 0, 0}) {
        scan.geometry.field_of_view_mm = asked_field_of_view_mm;
    }
    check_trajectories(scan);
    convert_unit(stored, options);
    if (!in_cycles_per_fov) {
        apply_fixes(options.fixes, scan);
    }

    const Geometry own = scan.geometry;
    const bool other_field_of_view = override_field_of_view(scan, asked_field_of_view_mm);
    doubt_field_of_view(scan);
    const bool other_matrix = asked_matrix != matrix;
    if (other_matrix) {
        check_matrix_size(asked_matrix, scan.path);
        matrix = asked_matrix;
    }
    if (other_matrix || other_field_of_view) {
        carry_maps(scan, own, other_matrix ? "`matrix`" : "`fov`");
    }
    if (stored.unitary) {
        undo_unitary_scale(scan);
    }
    apply_band_rule(scan, options.out_of_band, options.matrix_size || options.field_of_view_mm);
    if (options.drop_unweighted) {
        leave_out_unweighted(scan);
    }
    check_axes(scan);
    return std::move(scan);
}

}  // namespace recon
