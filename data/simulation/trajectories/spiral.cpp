#include <cmath>

#include "data/simulation/trajectories/readout.hpp"
#include "data/simulation/trajectories/trajectory_kind.hpp"

namespace recon {
namespace {

struct SpiralPlane {
    Index interleaves;
    double turns;  ///< of one interleave
    SampledPath sampled;
};

/// radius = (angle / last angle)^power. The interleaves' turns interlock: at the edge, where they are widest apart,
/// neighbouring turns lie `undersampling` cycles per field of view apart.
SpiralPlane plan_spiral(const TrajectoryRequest& request) {
    const double radius = static_cast<double>(std::max(request.matrix_size[0], request.matrix_size[1])) / 2;
    const Index interleaves = request.interleaves.value_or(at_least_one(radius / 4));
    const double turns =
        std::max(0.25, request.density_power * radius / (static_cast<double>(interleaves) * request.undersampling));
    const double power = request.density_power;
    const UnitPath path = [turns, power](double p) {
        // Parameter and radius grow alike at the edge; near the centre p^(1/power) would crowd the steps.
        const double r = std::pow(p, power);
        const double angle = 2 * pi * turns * p;
        return PerAxis<double>{r * std::cos(angle), r * std::sin(angle), 0};
    };
    return {interleaves, turns, sample_paths({path}, request).front()};
}

void add_interleaves(const SpiralPlane& plane, double density_power, double unit_z, TrajectoryBuilder& builder) {
    for (Index interleaf = 0; interleaf < plane.interleaves; ++interleaf) {
        const double start = 2 * pi * static_cast<double>(interleaf) / static_cast<double>(plane.interleaves);
        for (const double p : plane.sampled.parameters) {
            const double r = std::pow(p, density_power) * band_edge;
            const double angle = start + 2 * pi * plane.turns * p;
            builder.add({r * std::cos(angle), r * std::sin(angle), unit_z});
        }
    }
}

TrajectoryBuilder builder_for(const TrajectoryRequest& request, const SpiralPlane& plane) {
    return {request, static_cast<Index>(plane.sampled.parameters.size()), 0, plane.sampled.dwell_time_s};
}

DesignedTrajectory design_spiral(const TrajectoryRequest& request) {
    const SpiralPlane plane = plan_spiral(request);
    TrajectoryBuilder builder = builder_for(request, plane);
    add_interleaves(plane, request.density_power, 0, builder);
    return builder.finish();
}

/// The same spirals in every plane k_z = -floor(N/2), ..., one cycle per field of view apart.
DesignedTrajectory design_stack_of_spirals(const TrajectoryRequest& request) {
    const SpiralPlane plane = plan_spiral(request);
    TrajectoryBuilder builder = builder_for(request, plane);
    const Index planes = request.matrix_size[2];
    for (Index z = 0; z < planes; ++z) {
        add_interleaves(plane, request.density_power,
                        static_cast<double>(z - planes / 2) / (static_cast<double>(planes) / 2), builder);
    }
    return builder.finish();
}

const Registration registered_spiral(
    trajectory_kinds(),
    TrajectoryKind{.name = "spiral",
                   .explanation = "2-D interleaved spirals from the centre, Archimedean or denser at the centre",
                   .smallest_dimension = 2,
                   .largest_dimension = 2,
                   .default_dimension = 2,
                   .takes_interleaves = true,
                   .takes_density_power = true,
                   .design = design_spiral});

const Registration registered_stack_of_spirals(trajectory_kinds(),
                                               TrajectoryKind{.name = "stack-of-spirals",
                                                              .explanation = "the same spirals in every plane of k_z",
                                                              .smallest_dimension = 3,
                                                              .takes_interleaves = true,
                                                              .takes_density_power = true,
                                                              .design = design_stack_of_spirals});

}  // namespace
}  // namespace recon
