#include "data/reading/scan_conversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/mri/off_resonance/field_map.hpp"
#include "data/reading/frame_labels.hpp"
#include "data/reading/image_axes.hpp"
#include "data/reading/scan_checks.hpp"

namespace recon {
namespace {

bool out_of_band(const Trajectory& trajectory, std::size_t sample, const PerAxis<Index>& matrix_size) {
    constexpr double rounding = 1e-6;  // of the band: positions are stored as floats
    for (int axis = 0; axis < 3; ++axis) {
        const double edge = static_cast<double>(matrix_size[axis]) / 2;
        if (matrix_size[axis] > 1 && std::abs(trajectory.k[axis][sample]) > edge * (1 + rounding)) {
            return true;
        }
    }
    return false;
}

/// Maps each distinct trajectory once, so that frames that shared one still do.
template <class Function>
void replace_trajectories(std::vector<Frame>& frames, Function&& function) {
    std::map<const Trajectory*, std::shared_ptr<const Trajectory>> replaced;
    for (Frame& frame : frames) {
        auto [entry, is_new] = replaced.try_emplace(frame.trajectory.get());
        if (is_new) {
            entry->second = std::make_shared<const Trajectory>(function(*frame.trajectory));
        }
        frame.trajectory = entry->second;
    }
}

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

/// Which samples are inside the band, for each distinct trajectory.
std::map<const Trajectory*, std::shared_ptr<const std::vector<bool>>> samples_inside(const Scan& scan) {
    std::map<const Trajectory*, std::shared_ptr<const std::vector<bool>>> inside;
    for (const Frame& frame : scan.frames) {
        const Trajectory& trajectory = *frame.trajectory;
        auto& of_trajectory = inside[&trajectory];
        if (!of_trajectory) {
            std::vector<bool> is_inside(trajectory.k[0].size());
            for (std::size_t s = 0; s < is_inside.size(); ++s) {
                is_inside[s] = !out_of_band(trajectory, s, scan.geometry.matrix_size);
            }
            of_trajectory = std::make_shared<const std::vector<bool>>(std::move(is_inside));
        }
    }
    return inside;
}

/// Keeps the elements of a [sample (coil)] array whose sample is inside.
template <class T>
void keep(const std::vector<bool>& inside, std::vector<T>& values) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (inside[i % inside.size()]) {
            values[kept++] = values[i];
        }
    }
    values.resize(kept);
}

SharedList<float> kept(const std::vector<bool>& inside, const SharedList<float>& values,
                       DistinctLists<float>& distinct) {
    std::vector<float> result = values;
    keep(inside, result);
    return distinct.shared(std::move(result));
}

/// Coil maps computed for the file's own image say nothing about another one; the field map is resampled onto it.
/// @param before  the file's own image
void carry_maps(Scan& scan, const Geometry& before, const char* option) {
    if (!scan.coil_maps.empty() || scan.read_coil_maps) {
        log_warning("{}: the coil maps in the file are for another image and are not used", option);
        scan.coil_maps.clear();
        scan.read_coil_maps = nullptr;
    }
    if (scan.off_resonance_hz.empty()) {
        return;
    }
    try {
        Resampled<float> map = resample_field_map(scan.off_resonance_hz, before, scan.geometry, scan.path);
        log_info("{}: the field map in the file is {}", option, map.text);
        scan.off_resonance_hz = std::move(map.voxels);
    } catch (const InputError& error) {
        log_warning("{}: the field map in the file is for another image and is not used ({})", option, error.what());
        scan.off_resonance_hz.clear();
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
        throw InputError(
            fmt::format("{}: the trajectory is in {}, but the field of view is unknown; give it with `fov`", scan.path,
                        name_of(unit)));
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

/// The farthest position on any axis, over the edge of the band there.
double reach_over_edge(const Scan& scan) {
    const PerAxis<double> extent = trajectory_extent(scan.frames);
    double reach = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (scan.geometry.matrix_size[axis] > 1) {
            reach = std::max(reach, extent[axis] / (static_cast<double>(scan.geometry.matrix_size[axis]) / 2));
        }
    }
    return reach;
}

/// @param of_user  whether the matrix is the user's wish, and nothing to wonder at
void apply_band_rule(Scan& scan, OutOfBand rule, bool of_user) {
    const PerAxis<Index>& matrix = scan.geometry.matrix_size;
    Index outside = 0;
    Index total = 0;
    for (const Frame& frame : scan.frames) {
        outside += count_out_of_band(*frame.trajectory, matrix);
        total += frame.sample_count();
    }
    if (outside == 0) {
        return;
    }
    constexpr double clearly_beyond = 1.1;
    const double reach = reach_over_edge(scan);
    const bool dropped = rule == OutOfBand::drop || (rule == OutOfBand::automatic && reach > clearly_beyond);
    const std::string text = fmt::format(
        "{} of {} samples lie beyond the band of a {} x {} x {} image, up to {:.3g} times its edge, and are {} "
        "(`outside`)",
        outside, total, matrix[0], matrix[1], matrix[2], reach, dropped ? "dropped" : "kept");
    if (dropped && rule == OutOfBand::automatic && !of_user) {
        log_warning("{}: {}; a larger `matrix` shows them, or `trajectory_unit` is another", scan.path, text);
    } else {
        log_info("{}", text);
    }
    if (!dropped) {
        return;
    }
    scan.samples_per_readout = 0;
    const auto inside_of_trajectory = samples_inside(scan);
    std::vector<std::shared_ptr<const std::vector<bool>>> inside_of_frame;
    DistinctLists<float> weights;
    DistinctLists<float> times;
    for (Frame& frame : scan.frames) {
        const auto& inside = inside_of_trajectory.at(frame.trajectory.get());
        inside_of_frame.push_back(inside);
        frame.density_weights = kept(*inside, frame.density_weights, weights);
        frame.sample_times_s = kept(*inside, frame.sample_times_s, times);
        if (std::find(inside->begin(), inside->end(), true) == inside->end()) {
            throw InputError(
                fmt::format("{}: no sample of {} lies inside the band; check `matrix`, `fov` and "
                            "`trajectory_unit`",
                            scan.path, text_of(frame.label)));
        }
    }
    transform_kspace(scan, [inside_of_frame](Index frame, std::vector<cfloat>& kspace) {
        keep(*inside_of_frame[static_cast<std::size_t>(frame)], kspace);
    });
    replace_trajectories(scan.frames, [&](const Trajectory& trajectory) {
        Trajectory result = trajectory;
        for (std::vector<double>& component : result.k) {
            keep(*inside_of_trajectory.at(&trajectory), component);
        }
        return result;
    });
}

/// From sums with the factor 1/sqrt(voxels) to plain ones.
void undo_unitary_scale(Scan& scan) {
    const PerAxis<Index>& matrix = scan.geometry.matrix_size;
    const auto factor = static_cast<float>(std::sqrt(static_cast<double>(matrix[0] * matrix[1] * matrix[2])));
    transform_all_kspace(scan, [factor](std::vector<cfloat>& kspace) {
        for (cfloat& value : kspace) {
            value *= factor;
        }
    });
}

}  // namespace

Index count_out_of_band(const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    const auto sample_count = static_cast<Index>(trajectory.k[0].size());
    Index count = 0;
#pragma omp parallel for reduction(+ : count) if (sample_count > 100'000)
    for (Index s = 0; s < sample_count; ++s) {
        count += out_of_band(trajectory, static_cast<std::size_t>(s), matrix_size) ? 1 : 0;
    }
    return count;
}

Scan convert_scan(StoredScan stored, const ScanReadOptions& options) {
    Scan& scan = stored.scan;
    for (const std::string& note : stored.notes) {
        log_info("{}", note);
    }
    PerAxis<Index>& matrix = scan.geometry.matrix_size;
    const bool in_cycles_per_fov =
        options.trajectory_unit.value_or(stored.stated_unit.value_or(TrajectoryUnit::cycles_per_voxel)) ==
        TrajectoryUnit::cycles_per_fov;
    if (matrix == PerAxis<Index>{0, 0, 0} && !options.matrix_size && stored.matrix_by_trajectory && in_cycles_per_fov) {
        check_trajectories(scan);
        matrix = matrix_of_trajectory(scan.frames);
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
    if (scan.geometry.field_of_view_mm == PerAxis<double>{0, 0, 0}) {
        scan.geometry.field_of_view_mm = asked_field_of_view_mm;
    }
    check_trajectories(scan);
    convert_unit(stored, options);

    const Geometry own = scan.geometry;
    const bool other_field_of_view = override_field_of_view(scan, asked_field_of_view_mm);
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
    warn_of_unused_axes(scan);
    return std::move(scan);
}

}  // namespace recon
