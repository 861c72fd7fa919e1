#pragma once

#include <memory>
#include <span>

#include "data/simulation/phantoms/ellipsoid_phantom.hpp"
#include "data/simulation/phantoms/phantom.hpp"

namespace recon {

/// Where cuts show a head's ventricles, nuclei and lesions. Lower x and y cuts pass beside the middle.
inline constexpr PerAxis<double> telling_section_of_head{0.06, -0.10, 0.065};
/// The brain's edges are rounded by this Gaussian, voxels: its Cartesian images ring little.
inline constexpr double rounded_edge_voxels = 0.6;

/// A phantom that is nothing but ellipsoids.
class EllipsoidObject final : public Phantom {
public:
    /// @throws InputError as EllipsoidPhantom
    EllipsoidObject(std::span<const Ellipsoid> ellipsoids, const PhantomSite& site);

    std::vector<cfloat> values(const VoxelGrid& grid) const override;
    std::vector<cdouble> transform(const TrigonometricMaps& maps, const Trajectory& trajectory) const override;

private:
    EllipsoidPhantom phantom_;
    bool sharp_;
};

std::unique_ptr<Phantom> make_ellipsoid_object(std::span<const Ellipsoid> ellipsoids, const PhantomSite& site);

}  // namespace recon
