#include "data/simulation/trajectories/trajectory_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Magnitudes of gamma / 2 pi, Hz/T: the proton's [Tiesinga 2021] times the frequency ratios of the reference compounds
/// [Harris 2001]; 129Xe as free gas, 5331 ppm below its reference.
const std::map<std::string, double>& gyromagnetic_ratios() {
    constexpr double proton = 42.577478518e6;
    static const std::map<std::string, double> ratios{{"1H", proton},
                                                      {"3He", 0.76179437 * proton},
                                                      {"13C", 0.25145020 * proton},
                                                      {"19F", 0.94094011 * proton},
                                                      {"23Na", 0.26451900 * proton},
                                                      {"31P", 0.40480742 * proton},
                                                      {"129Xe", 0.27810186 * (1 - 5331e-6) * proton}};
    return ratios;
}

void require(bool condition, const std::string& message) {
    if (!condition) {
        throw UsageError(message);
    }
}

bool one_of(const std::string& kind, std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), kind) != names.end();
}

void check(const std::string& kind, const TrajectoryRequest& request) {
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

    const bool radial = one_of(kind, {"radial", "golden-radial", "radial-centre-out"});
    const bool spiral = one_of(kind, {"spiral", "stack-of-spirals"});
    require(!request.readouts || radial, fmt::format("`readouts` does not apply to '{}': use `undersampling`{}", kind,
                                                     kind == "cartesian" ? "" : " or `interleaves`"));
    require(!request.interleaves || spiral || kind == "cones",
            fmt::format("`interleaves` does not apply to '{}': use `undersampling`{}", kind,
                        radial ? " or `readouts`" : ""));
    require(request.density_power == 1 || spiral, fmt::format("`density_power` does not apply to '{}'", kind));
}

DesignedTrajectory design_compact(const std::string& kind, const TrajectoryRequest& request) {
    if (kind == "cartesian") {
        return design_cartesian(request);
    }
    if (kind == "golden-radial" || (kind == "radial" && request.matrix_size[2] == 1)) {
        return design_radial_2d(request, kind == "golden-radial" ? AngleOrder::golden : AngleOrder::equal);
    }
    if (kind == "radial" || kind == "radial-centre-out") {
        return design_radial_3d(request, kind == "radial" ? ReadoutStart::edge : ReadoutStart::centre);
    }
    if (kind == "spiral") {
        return design_spiral(request);
    }
    return kind == "cones" ? design_cones(request) : design_stack_of_spirals(request);
}

std::string default_kind(const PerAxis<Index>& matrix_size) {
    const auto dimension = std::ranges::count_if(matrix_size, [](Index n) { return n > 1; });
    return dimension == 3 ? "cones" : dimension == 2 ? "spiral" : "cartesian";
}

}  // namespace

double gyromagnetic_ratio_hz_per_t(const std::string& nucleus) {
    const auto found = gyromagnetic_ratios().find(nucleus);
    if (found == gyromagnetic_ratios().end()) {
        throw UsageError(
            fmt::format("`nucleus`: '{}' is not known; expected one of {}", nucleus, fmt::join(known_nuclei(), ", ")));
    }
    return found->second;
}

std::vector<std::string> known_nuclei() {
    std::vector<std::string> names;
    for (const auto& [name, ratio] : gyromagnetic_ratios()) {
        names.push_back(name);
    }
    return names;
}

const std::vector<TrajectoryKind>& trajectory_kinds() {
    static const std::vector<TrajectoryKind> kinds{
        {"cartesian", "lines on a regular grid, in 1, 2 or 3 dimensions", 1, 3},
        {"radial", "lines through the centre: at equal angles in 2-D, spread evenly in 3-D", 2, 3},
        {"golden-radial", "2-D lines through the centre, each 111.25 degrees from the one before", 2, 2},
        {"radial-centre-out", "3-D lines from the centre, sampled while the gradients rise (ultra-short echo time)", 3,
         3},
        {"spiral", "2-D interleaved spirals from the centre, Archimedean or denser at the centre", 2, 2},
        {"stack-of-spirals", "the same spirals in every plane of k_z", 3, 3},
        {"cones", "3-D spirals on cones, from the centre", 3, 3},
    };
    return kinds;
}

DesignedTrajectory design_trajectory(const std::string& asked_kind, const TrajectoryRequest& request) {
    const std::string kind = asked_kind.empty() ? default_kind(request.matrix_size) : asked_kind;
    const auto& kinds = trajectory_kinds();
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return kind == k.name; });
    if (found == kinds.end()) {
        std::vector<std::string> names;
        for (const TrajectoryKind& known : kinds) {
            names.emplace_back(known.name);
        }
        throw UsageError(
            fmt::format("`trajectory`: '{}' is not known; expected one of {}", kind, fmt::join(names, ", ")));
    }
    check(kind, request);

    // The axes with more than one voxel, moved to the front and back again.
    std::vector<int> present;
    for (int axis = 0; axis < 3; ++axis) {
        if (request.matrix_size[axis] > 1) {
            present.push_back(axis);
        }
    }
    const int dimension = static_cast<int>(present.size());
    require(dimension >= found->smallest_dimension && dimension <= found->largest_dimension,
            fmt::format("`trajectory` {}: needs {} axes with more than one voxel, `matrix` has {}", kind,
                        found->smallest_dimension == found->largest_dimension
                            ? fmt::format("{}", found->smallest_dimension)
                            : fmt::format("{} to {}", found->smallest_dimension, found->largest_dimension),
                        dimension));
    TrajectoryRequest compact = request;
    compact.matrix_size = {1, 1, 1};
    for (int i = 0; i < dimension; ++i) {
        compact.matrix_size[i] = request.matrix_size[present[i]];
        compact.field_of_view_mm[i] = request.field_of_view_mm[present[i]];
    }
    DesignedTrajectory design = design_compact(kind, compact);
    design.kind = kind;
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
