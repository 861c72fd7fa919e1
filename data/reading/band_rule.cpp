#include "data/reading/band_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/reading/scan/frame_labels.hpp"
#include "data/reading/scan/replaced_trajectories.hpp"
#include "data/reading/stored/trajectory_unit.hpp"

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

}  // namespace recon
