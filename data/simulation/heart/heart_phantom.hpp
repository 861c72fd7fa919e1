#pragma once

#include "data/simulation/heart/heart_beat.hpp"
#include "data/simulation/heart/polygon.hpp"
#include "data/simulation/phantoms/ellipsoid_object.hpp"

namespace recon {

/// A slice through the chest, across the left ventricle: a grey ring of muscle around bright blood beats in dark lung;
/// chest wall and liver are still. Muscle does not change its area: the wall thickens as the cavity shrinks.
class HeartPhantom final : public Phantom {
public:
    /// @throws UsageError unless the site is a slice along x and y with sharp edges
    HeartPhantom(const PhantomSite& site, const HeartBeatOptions& options);

    const HeartBeat& beat() const { return beat_; }
    /// As Phantom::values, at a time.
    std::vector<cfloat> values(const VoxelGrid& grid, double time_s) const;
    /// As Phantom::transform, each run of `samples_a_time` samples at a time of its own, one after the other.
    std::vector<cdouble> transform(const TrigonometricMaps& maps, const Trajectory& trajectory,
                                   std::span<const double> times_s) const;
    /// Of the cavity, in squares of the field of view.
    double cavity_area(double time_s) const;

    // At the begin of a beat.
    std::vector<cfloat> values(const VoxelGrid& grid) const override { return values(grid, 0); }
    std::vector<cdouble> transform(const TrigonometricMaps& maps, const Trajectory& trajectory) const override;

private:
    struct Ring {
        StarPolygon muscle, cavity;
    };
    Ring ring_at(double time_s) const;

    HeartBeat beat_;
    EllipsoidObject still_;
};

}  // namespace recon
