#include "data/simulation/simulate_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/voxel_grid.hpp"
#include "data/simulation/birdcage_maps.hpp"
#include "data/simulation/ellipsoid_phantom.hpp"
#include "data/simulation/ellipsoid_transform.hpp"
#include "data/simulation/scan_assembly.hpp"
#include "data/simulation/standard_phantoms.hpp"

namespace recon {
namespace {

constexpr int points_per_sharp_voxel = 4;

struct Object {
    EllipsoidPhantom phantom;
    PerAxis<bool> present;
    PerAxis<double> section;
    bool sharp;
};

Object make_object(const SimulationOptions& options) {
    const bool brain = options.phantom == PhantomKind::brain;
    const double edge_voxels = options.edge_voxels.value_or(brain ? 0.6 : 0);
    if (!(edge_voxels >= 0 && edge_voxels <= 100)) {
        throw UsageError(fmt::format("--edge: {} voxels, expected 0 to 100", edge_voxels));
    }
    // Cuts that show ventricles, nuclei and lesions, or the small ellipses. Lower x and y cuts pass beside the middle.
    const PerAxis<double> telling = brain ? PerAxis<double>{0.06, -0.10, 0.065} : PerAxis<double>{0.06, 0.05, -0.125};
    PerAxis<bool> present{};
    PerAxis<double> section{};
    PerAxis<double> sigma{};
    for (int axis = 0; axis < 3; ++axis) {
        const Index n = options.request.matrix_size[axis];
        present[axis] = n > 1;
        section[axis] = present[axis] ? 0 : options.section.value_or(telling[axis]);
        sigma[axis] = present[axis] ? edge_voxels / static_cast<double>(n) : 0;
    }
    return {EllipsoidPhantom(brain ? brain_ellipsoids() : shepp_logan_ellipsoids(), present, section, sigma), present,
            section, edge_voxels == 0};
}

std::vector<cfloat> voxel_values(const Object& object, PerAxis<Index> matrix_size) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    const Index voxel_count = grid.shape.element_count();
    std::vector<cfloat> values(voxel_count);
#pragma omp parallel for schedule(dynamic, 256)
    for (Index voxel = 0; voxel < voxel_count; ++voxel) {
        const PerAxis<double> position{grid.position(0, voxel % matrix_size[0]),
                                       grid.position(1, voxel / matrix_size[0] % matrix_size[1]),
                                       grid.position(2, voxel / (matrix_size[0] * matrix_size[1]))};
        values[voxel] =
            static_cast<float>(object.sharp ? object.phantom.voxel_mean(position, grid.spacing, points_per_sharp_voxel)
                                            : object.phantom.value(position));
    }
    return values;
}

}  // namespace

Simulation simulate_scan(const SimulationOptions& options) {
    require_valid(options);
    const PerAxis<Index> matrix_size = options.request.matrix_size;
    DesignedTrajectory design = design_trajectory(options.trajectory, options.request);
    const Object object = make_object(options);
    std::vector<cfloat> truth = voxel_values(object, matrix_size);
    const TrigonometricMaps maps = fit_birdcage_maps(options.coil_count, object.present, object.section);
    const auto exact = transform(object.phantom, maps, design.trajectory);
    const auto voxel_count = static_cast<double>(truth.size());
    std::vector<cfloat> kspace(exact.size());
    std::transform(exact.begin(), exact.end(), kspace.begin(),
                   [&](const cdouble& value) { return cfloat(value * voxel_count); });
    return assemble_simulation(options, std::move(design), std::move(truth), std::move(kspace),
                               evaluate_maps(maps, matrix_size, object.section));
}

}  // namespace recon
