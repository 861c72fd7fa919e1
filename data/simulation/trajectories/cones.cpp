#include <algorithm>
#include <cmath>

#include "data/simulation/trajectories/readout.hpp"
#include "data/simulation/trajectories/trajectory_kind.hpp"

namespace recon {
namespace {

struct Cone {
    double polar_angle;
    Index interleaves;
    double twist;  ///< azimuth gained from the centre to the edge, radians
};

UnitPath path_of(const Cone& cone) {
    return [cone](double p) {
        const double across = p * std::sin(cone.polar_angle);
        return PerAxis<double>{across * std::cos(cone.twist * p), across * std::sin(cone.twist * p),
                               p * std::cos(cone.polar_angle)};
    };
}

/// Spirals on cones about z [Gurney 2006], with an azimuth proportional to the radius.
///
/// Cones: polar angles pi (i + 1/2) / count, at the edge `spacing` = sqrt(undersampling) cycles per field of view
/// apart. On one cone, L interleaves of twist t leave between them, across their course at the edge (radius K, angle
/// a), (2 pi K sin a / L) / sqrt(1 + t^2 sin^2 a): t is chosen to make that `spacing`.
DesignedTrajectory design_cones(const TrajectoryRequest& request) {
    const double radius = static_cast<double>(largest_extent(request.matrix_size)) / 2;
    const double spacing = std::sqrt(request.undersampling);
    const double widest = static_cast<double>(request.interleaves.value_or(at_least_one(radius / 2)));
    const Index cone_count = at_least_one(std::ceil(pi * radius / spacing));
    std::vector<Cone> cones;
    std::vector<UnitPath> paths;
    for (Index i = 0; i < cone_count; ++i) {
        Cone cone{};
        cone.polar_angle = pi * (static_cast<double>(i) + 0.5) / static_cast<double>(cone_count);
        const double sine = std::sin(cone.polar_angle);
        cone.interleaves = at_least_one(std::ceil(widest * sine));
        const double gap = 2 * pi * radius * sine / (static_cast<double>(cone.interleaves) * spacing);
        cone.twist = gap > 1 ? std::sqrt(gap * gap - 1) / sine : 0;
        cones.push_back(cone);
        paths.push_back(path_of(cone));
    }
    const std::vector<SampledPath> sampled = sample_paths(paths, request);
    TrajectoryBuilder builder(request, static_cast<Index>(sampled.front().parameters.size()), 0,
                              sampled.front().dwell_time_s);
    for (std::size_t i = 0; i < cones.size(); ++i) {
        for (Index interleaf = 0; interleaf < cones[i].interleaves; ++interleaf) {
            const double start = 2 * pi * static_cast<double>(interleaf) / static_cast<double>(cones[i].interleaves);
            for (const double p : sampled[i].parameters) {
                const PerAxis<double> unit = paths[i](p * band_edge);
                builder.add({unit[0] * std::cos(start) - unit[1] * std::sin(start),
                             unit[0] * std::sin(start) + unit[1] * std::cos(start), unit[2]});
            }
        }
    }
    return builder.finish();
}

const Registration registered_cones(trajectory_kinds(),
                                    TrajectoryKind{.name = "cones",
                                                   .explanation = "3-D spirals on cones, from the centre",
                                                   .smallest_dimension = 3,
                                                   .default_dimension = 3,
                                                   .takes_interleaves = true,
                                                   .design = design_cones});

}  // namespace
}  // namespace recon
