#pragma once

#include <memory>

#include "app/reconstruction/check/fits/band_plan.hpp"
#include "core/operators/encoding.hpp"

namespace recon {

/// Density weighted least squares on the samples of a probe inside a band: what its trajectory alone decides.
class WeightedPlan {
public:
    /// @param band  the matrix whose band holds the samples; the image has the probe's own, which may be finer
    WeightedPlan(const Scan& probe, const PerAxis<Index>& band, Backend& backend);

    const BandPlan& band() const { return band_; }
    bool is_empty() const { return band_.is_empty(); }

    /// sqrt(w) S F with the probe's coil maps, or with maps from the centre of its k-space.
    std::unique_ptr<const Encoding> encoding(const Scan& probe) const;
    /// sqrt(w) d, [sample coil]
    Array data(const std::vector<cfloat>& kspace_inside) const;
    Array data(const Scan& probe) const { return data(band_.kspace_of(probe)); }

private:
    Backend& backend_;
    BandPlan band_;
    std::shared_ptr<const Array> roots_;  ///< of the weights, [sample]
    std::shared_ptr<const ToeplitzPlan> toeplitz_;
};

/// Coil maps of a probe, [x y z coil] of unit root-sum-of-squares, from the centre of its k-space; their common phase
/// is that of the image.
std::vector<cfloat> maps_of_centre(const Scan& probe, Backend& backend);

}  // namespace recon
