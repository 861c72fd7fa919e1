#include "data/simulation/phantoms/ellipsoid_object.hpp"

#include "data/simulation/phantoms/ellipsoid_transform.hpp"

namespace recon {
namespace {

constexpr int points_per_sharp_voxel = 4;

bool all_sharp(const PerAxis<double>& edge_sigma) {
    return edge_sigma[0] == 0 && edge_sigma[1] == 0 && edge_sigma[2] == 0;
}

}  // namespace

EllipsoidObject::EllipsoidObject(std::span<const Ellipsoid> ellipsoids, const PhantomSite& site)
    : phantom_(ellipsoids, site.present, site.section, site.edge_sigma), sharp_(all_sharp(site.edge_sigma)) {}

std::vector<cfloat> EllipsoidObject::values(const VoxelGrid& grid) const {
    const Index voxel_count = grid.shape.element_count();
    const Index width = grid.shape.extent(0), height = grid.shape.extent(1);
    std::vector<cfloat> values(voxel_count);
#pragma omp parallel for schedule(dynamic, 256)
    for (Index voxel = 0; voxel < voxel_count; ++voxel) {
        const PerAxis<double> position{grid.position(0, voxel % width), grid.position(1, voxel / width % height),
                                       grid.position(2, voxel / (width * height))};
        values[voxel] = static_cast<float>(sharp_ ? phantom_.voxel_mean(position, grid.spacing, points_per_sharp_voxel)
                                                  : phantom_.value(position));
    }
    return values;
}

std::vector<cdouble> EllipsoidObject::transform(const TrigonometricMaps& maps, const Trajectory& trajectory) const {
    return recon::transform(phantom_, maps, trajectory);
}

std::unique_ptr<Phantom> make_ellipsoid_object(std::span<const Ellipsoid> ellipsoids, const PhantomSite& site) {
    return std::make_unique<EllipsoidObject>(ellipsoids, site);
}

}  // namespace recon
