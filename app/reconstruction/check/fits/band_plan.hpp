#pragma once

#include <memory>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"
#include "core/operators/sampling/fourier_sums_choice.hpp"

namespace recon {

/// The samples of a probe that lie in a band, with density weights and sums: what its trajectory alone decides.
class BandPlan {
public:
    /// @param band  the matrix whose band it is
    BandPlan(const Scan& probe, const PerAxis<Index>& band, Backend& backend);

    const std::shared_ptr<const Trajectory>& source() const { return source_; }  ///< that it was made of
    const Trajectory& trajectory() const { return trajectory_; }                 ///< of the samples inside
    const std::vector<Index>& inside() const { return inside_; }                 ///< their numbers in the probe
    const std::vector<double>& weights() const { return weights_; }
    const std::shared_ptr<const FourierSums>& sums() const { return sums_; }
    const Shape& image() const { return image_; }
    Index sample_count() const { return trajectory_.sample_count(); }
    bool is_empty() const { return !sums_; }

    /// K-space inside, [sample coil]
    std::vector<cfloat> kspace_of(const Scan& probe) const;
    /// The other way: values inside, [sample coil], to their places in `all` of the probe.
    void put_into(std::vector<cfloat>& all, const std::vector<cfloat>& values) const;

private:
    std::shared_ptr<const Trajectory> source_;
    std::vector<Index> inside_;
    Trajectory trajectory_;
    std::vector<double> weights_;
    std::shared_ptr<const FourierSums> sums_;
    Shape image_;
};

}  // namespace recon
