#include "data/simulation/heart/heart_phantom.hpp"

#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr Point2 heart_centre{-0.04, 0.03};
constexpr double cavity_radius = 0.11, muscle_radius = 0.17;  ///< at rest, fields of view
constexpr double shortening = 0.45;                           ///< of the cavity's radius at full tension
constexpr double muscle_over_lung = 0.35, blood_over_muscle = 0.55;

std::vector<Ellipsoid> chest() {
    constexpr double deep = 2;                                                   // a slice: thickness does not matter
    return {turned_ellipsoid({0, 0, 0}, {0.47, 0.40, deep}, 0, 0.7),             // chest wall
            turned_ellipsoid({0, 0, 0}, {0.42, 0.35, deep}, 0, -0.6),            // lung
            turned_ellipsoid({0.25, 0.07, 0}, {0.09, 0.14, deep}, -15, 0.4),     // liver
            turned_ellipsoid({0.05, -0.28, 0}, {0.05, 0.04, deep}, 0, 0.3),      // spine
            turned_ellipsoid({-0.30, -0.08, 0}, {0.025, 0.025, deep}, 0, 0.8)};  // a vessel
}

const PhantomSite& required_slice(const PhantomSite& site) {
    if (!site.present[0] || !site.present[1] || site.present[2]) {
        throw UsageError("`phantom` heart is a slice; expected a `matrix` of two numbers");
    }
    if (site.edge_sigma[0] != 0 || site.edge_sigma[1] != 0) {
        throw UsageError("`edge`: `phantom` heart has sharp edges; expected 0");
    }
    return site;
}

std::unique_ptr<Phantom> make_heart(const PhantomSite& site) {
    return std::make_unique<HeartPhantom>(site, HeartBeatOptions{});
}

const Registration registered_heart(
    phantom_kinds(),
    PhantomKind{.name = "heart",
                .explanation = "a slice through a beating left ventricle; each readout sees it at its own time",
                .edge_voxels = 0,
                .telling_section = {0, 0, 0},
                .make = make_heart});

}  // namespace

HeartPhantom::HeartPhantom(const PhantomSite& site, const HeartBeatOptions& options)
    : beat_(options), still_(chest(), required_slice(site)) {}

HeartPhantom::Ring HeartPhantom::ring_at(double time_s) const {
    std::vector<double> outer, inner;
    for (const double s : beat_.contraction(time_s)) {
        inner.push_back(cavity_radius * (1 - shortening * s));
        // Incompressible: the area between them is that at rest.
        outer.push_back(
            std::sqrt(muscle_radius * muscle_radius - cavity_radius * cavity_radius + inner.back() * inner.back()));
    }
    return {StarPolygon(heart_centre, outer), StarPolygon(heart_centre, inner)};
}

double HeartPhantom::cavity_area(double time_s) const { return ring_at(time_s).cavity.area(); }

std::vector<cfloat> HeartPhantom::values(const VoxelGrid& grid, double time_s) const {
    std::vector<cfloat> values = still_.values(grid);
    const Ring ring = ring_at(time_s);
    const Index width = grid.shape.extent(0), height = grid.shape.extent(1);
    constexpr int points = 4;  // of a voxel along each axis, as for sharp ellipsoids
#pragma omp parallel for schedule(dynamic, 4)
    for (Index row = 0; row < height; ++row) {
        for (Index column = 0; column < width; ++column) {
            double sum = 0;
            for (int i = 0; i < points * points; ++i) {
                const Point2 point{grid.position(0, column) + ((i % points + 0.5) / points - 0.5) * grid.spacing[0],
                                   grid.position(1, row) + ((i / points + 0.5) / points - 0.5) * grid.spacing[1]};
                sum += ring.muscle.holds(point) ? muscle_over_lung : 0;
                sum += ring.cavity.holds(point) ? blood_over_muscle : 0;
            }
            values[row * width + column] += static_cast<float>(sum / (points * points));
        }
    }
    return values;
}

std::vector<cdouble> HeartPhantom::transform(const TrigonometricMaps& maps, const Trajectory& trajectory,
                                             std::span<const double> times_s) const {
    const Index sample_count = trajectory.sample_count();
    const auto readouts = static_cast<Index>(times_s.size());
    const Index samples = sample_count / readouts;
    std::vector<cdouble> sums = still_.transform(maps, trajectory);
#pragma omp parallel for schedule(dynamic, 1)
    for (Index readout = 0; readout < readouts; ++readout) {
        const Ring ring = ring_at(times_s[readout]);
        std::vector<Point2> k;
        for (Index sample = readout * samples; sample < (readout + 1) * samples; ++sample) {
            k.push_back({trajectory.k[0][sample], trajectory.k[1][sample]});
        }
        std::vector<cdouble> moving(samples * maps.map_count);
        ring.muscle.add_transform(maps, k, muscle_over_lung, moving);
        ring.cavity.add_transform(maps, k, blood_over_muscle, moving);
        for (Index map = 0; map < maps.map_count; ++map) {
            for (Index sample = 0; sample < samples; ++sample) {
                sums[map * sample_count + readout * samples + sample] += moving[map * samples + sample];
            }
        }
    }
    return sums;
}

std::vector<cdouble> HeartPhantom::transform(const TrigonometricMaps& maps, const Trajectory& trajectory) const {
    const double begin = 0;
    return transform(maps, trajectory, std::span(&begin, 1));
}

}  // namespace recon
