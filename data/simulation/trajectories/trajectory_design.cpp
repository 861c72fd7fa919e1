#include "data/simulation/trajectories/trajectory_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "data/simulation/trajectories/trajectory_kind.hpp"

namespace recon {
namespace {

void require(bool condition, const std::string& message) {
    if (!condition) {
        throw UsageError(message);
    }
}

void check(const TrajectoryKind& kind, const TrajectoryRequest& request) {
    for (int axis = 0; axis < 3; ++axis) {
        const Index n = request.matrix_size[axis];
        require(n >= 1 && n <= 4096, fmt::format("`matrix`: an axis of {} voxels, expected 1 to 4096", n));
        const double fov = request.field_of_view_mm[axis];
        require(fov > 0 && std::isfinite(fov), fmt::format("`fov`: {} mm, expected above 0", fov));
    }
    const auto positive = [](double value, const char* option) {
        require(value > 0 && std::isfinite(value), fmt::format("{}: {}, expected above 0", option, value));
    };
    positive(request.limits.amplitude_t_per_m, "`gradient`");
    positive(request.limits.slew_rate_t_per_m_s, "`slew_rate`");
    positive(request.dwell_time_s, "`dwell`");
    positive(request.readout_oversampling, "`oversampling`");
    positive(request.undersampling, "`undersampling`");
    require(request.density_power >= 1 && request.density_power <= 4,
            fmt::format("`density_power`: {}, expected 1 to 4", request.density_power));
    require(request.readouts.value_or(1) >= 1, "`readouts`: expected at least 1");
    require(request.interleaves.value_or(1) >= 1, "`interleaves`: expected at least 1");
    require(request.samples_per_readout.value_or(2) >= 2, "`samples`: expected at least 2");

    require(!request.readouts || kind.takes_readouts,
            fmt::format("`readouts` does not apply to '{}': use `undersampling`{}", kind.name,
                        kind.takes_interleaves ? " or `interleaves`" : ""));
    require(!request.interleaves || kind.takes_interleaves,
            fmt::format("`interleaves` does not apply to '{}': use `undersampling`{}", kind.name,
                        kind.takes_readouts ? " or `readouts`" : ""));
    require(request.density_power == 1 || kind.takes_density_power,
            fmt::format("`density_power` does not apply to '{}'", kind.name));
}

}  // namespace

Registry<TrajectoryKind>& trajectory_kinds() {
    static Registry<TrajectoryKind> registry("trajectory");
    return registry;
}

const TrajectoryKind& trajectory_kind(const std::string& name, const PerAxis<Index>& matrix_size) {
    if (name.empty()) {
        const auto dimension = std::max<Index>(1, std::ranges::count_if(matrix_size, [](Index n) { return n > 1; }));
        for (const TrajectoryKind* kind : trajectory_kinds().all()) {
            if (kind->default_dimension == dimension) {
                return *kind;
            }
        }
    }
    return trajectory_kinds().get(name);
}

DesignedTrajectory design_trajectory(const std::string& name, const TrajectoryRequest& request) {
    const TrajectoryKind& kind = trajectory_kind(name, request.matrix_size);
    check(kind, request);

    // The axes with more than one voxel, moved to the front and back again.
    std::vector<int> present;
    for (int axis = 0; axis < 3; ++axis) {
        if (request.matrix_size[axis] > 1) {
            present.push_back(axis);
        }
    }
    const int dimension = static_cast<int>(present.size());
    require(dimension >= kind.smallest_dimension && dimension <= kind.largest_dimension,
            fmt::format("`trajectory` {}: needs {} axes with more than one voxel, `matrix` has {}", kind.name,
                        kind.smallest_dimension == kind.largest_dimension
                            ? fmt::format("{}", kind.smallest_dimension)
                            : fmt::format("{} to {}", kind.smallest_dimension, kind.largest_dimension),
                        dimension));
    TrajectoryRequest compact = request;
    compact.matrix_size = {1, 1, 1};
    for (int i = 0; i < dimension; ++i) {
        compact.matrix_size[i] = request.matrix_size[present[i]];
        compact.field_of_view_mm[i] = request.field_of_view_mm[present[i]];
    }
    DesignedTrajectory design = kind.design(compact);
    design.kind = kind.name;
    PerAxis<std::vector<double>> k;
    const auto sample_count = design.trajectory.sample_count();
    for (int i = 0; i < dimension; ++i) {
        k[present[i]] = std::move(design.trajectory.k[i]);
    }
    for (auto& component : k) {
        component.resize(sample_count, 0);
    }
    design.trajectory.k = std::move(k);
    return design;
}

}  // namespace recon
