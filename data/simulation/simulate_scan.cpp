#include "data/simulation/simulate_scan.hpp"

#include <algorithm>

#include "data/simulation/birdcage_maps.hpp"
#include "data/simulation/ellipsoid_transform.hpp"
#include "data/simulation/phantom_object.hpp"
#include "data/simulation/scan_assembly.hpp"

namespace recon {
Simulation simulate_scan(const SimulationOptions& options) {
    require_valid(options);
    const PerAxis<Index> matrix_size = options.request.matrix_size;
    DesignedTrajectory design = design_trajectory(options.trajectory, options.request);
    const PhantomObject object = phantom_object(options.phantom, options, matrix_size);
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
