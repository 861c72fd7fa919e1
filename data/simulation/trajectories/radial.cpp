#include <cmath>

#include "data/simulation/trajectories/readout.hpp"
#include "data/simulation/trajectories/trajectory_kind.hpp"

namespace recon {
namespace {

enum class AngleOrder { equal, golden };
enum class ReadoutStart { edge, centre };

/// Lines through the centre. Nyquist: neighbouring ends lie one cycle per field of view apart, pi N / 2 lines over
/// half a turn. Golden angle: 180 degrees / 1.618, so that any number of successive readouts covers k-space nearly
/// evenly [Winkelmann 2007].
DesignedTrajectory radial_2d(const TrajectoryRequest& request, AngleOrder order) {
    const Index extent = largest_extent(request.matrix_size);
    const LineReadout line = line_readout(request, extent);
    const auto count = static_cast<Index>(line.positions.size());
    const Index readouts = request.readouts.value_or(
        at_least_one(std::ceil(pi / 2 * static_cast<double>(extent) / request.undersampling)));
    TrajectoryBuilder builder(request, count, count / 2, line.dwell_time_s);
    const double golden = pi * (std::sqrt(5.0) - 1) / 2;
    for (Index readout = 0; readout < readouts; ++readout) {
        const double angle = order == AngleOrder::golden
                                 ? std::fmod(static_cast<double>(readout) * golden, 2 * pi)
                                 : pi * static_cast<double>(readout) / static_cast<double>(readouts);
        for (const double position : line.positions) {
            builder.add({position * band_edge * std::cos(angle), position * band_edge * std::sin(angle), 0});
        }
    }
    return builder.finish();
}

/// Area of an ellipsoid to 1.1 percent [Michon 2004].
double ellipsoid_area(double a, double b, double c) {
    constexpr double p = 1.6075;
    const double mean = (std::pow(a * b, p) + std::pow(a * c, p) + std::pow(b * c, p)) / 3;
    return 4 * pi * std::pow(mean, 1 / p);
}

/// Directions spread evenly over the sphere (half of it, if readouts cross the centre): equal steps of z, the azimuth
/// turned by the golden angle [Swinbank 2006]. Nyquist: each readout end stands for one square cycle per field of view
/// of the surface of k-space.
///
/// Crossing readouts run at constant speed; those that start at the centre accelerate from rest while they are sampled.
DesignedTrajectory radial_3d(const TrajectoryRequest& request, ReadoutStart start) {
    const bool centre_out = start == ReadoutStart::centre;
    const PerAxis<Index>& n = request.matrix_size;
    const double surface =
        ellipsoid_area(static_cast<double>(n[0]) / 2, static_cast<double>(n[1]) / 2, static_cast<double>(n[2]) / 2);
    const Index readouts = request.readouts.value_or(
        at_least_one(std::ceil((centre_out ? surface : surface / 2) / request.undersampling)));

    std::vector<double> positions;
    Index centre_sample = 0;
    double dwell_s = 0;
    if (centre_out) {
        const SampledPath sampled = sample_paths({[](double p) { return PerAxis<double>{p, 0, 0}; }}, request).front();
        positions = sampled.parameters;
        dwell_s = sampled.dwell_time_s;
    } else {
        const LineReadout line = line_readout(request, largest_extent(n));
        positions = line.positions;
        centre_sample = static_cast<Index>(positions.size()) / 2;
        dwell_s = line.dwell_time_s;
    }

    TrajectoryBuilder builder(request, static_cast<Index>(positions.size()), centre_sample, dwell_s);
    const double golden_angle = pi * (3 - std::sqrt(5.0));
    for (Index readout = 0; readout < readouts; ++readout) {
        const double fraction = (static_cast<double>(readout) + 0.5) / static_cast<double>(readouts);
        const double z = centre_out ? 1 - 2 * fraction : 1 - fraction;
        const double across = std::sqrt(1 - z * z);
        const double azimuth = std::fmod(static_cast<double>(readout) * golden_angle, 2 * pi);
        for (const double position : positions) {
            const double radius = position * band_edge;
            builder.add({radius * across * std::cos(azimuth), radius * across * std::sin(azimuth), radius * z});
        }
    }
    return builder.finish();
}

DesignedTrajectory design_radial(const TrajectoryRequest& request) {
    return request.matrix_size[2] == 1 ? radial_2d(request, AngleOrder::equal) : radial_3d(request, ReadoutStart::edge);
}
DesignedTrajectory design_golden_radial(const TrajectoryRequest& request) {
    return radial_2d(request, AngleOrder::golden);
}
DesignedTrajectory design_radial_centre_out(const TrajectoryRequest& request) {
    return radial_3d(request, ReadoutStart::centre);
}

const Registration registered_radial(
    trajectory_kinds(),
    TrajectoryKind{.name = "radial",
                   .explanation = "lines through the centre: at equal angles in 2-D, spread evenly in 3-D",
                   .smallest_dimension = 2,
                   .takes_readouts = true,
                   .design = design_radial});

const Registration registered_golden_radial(
    trajectory_kinds(),
    TrajectoryKind{.name = "golden-radial",
                   .explanation = "2-D lines through the centre, each 111.25 degrees from the one before",
                   .smallest_dimension = 2,
                   .largest_dimension = 2,
                   .takes_readouts = true,
                   .goes_on = true,
                   .design = design_golden_radial});

const Registration registered_radial_centre_out(
    trajectory_kinds(),
    TrajectoryKind{.name = "radial-centre-out",
                   .explanation = "3-D lines from the centre, sampled while the gradients rise (ultra-short echo time)",
                   .smallest_dimension = 3,
                   .takes_readouts = true,
                   .design = design_radial_centre_out});

}  // namespace
}  // namespace recon
