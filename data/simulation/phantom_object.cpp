#include "data/simulation/phantom_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "data/simulation/noise.hpp"

namespace recon {
namespace {

constexpr std::uint64_t reference_noise_stream = 2;  ///< 0 and 1 are the scan's

}  // namespace

PhantomObject phantom_object(std::string_view name, const SimulationOptions& options, PerAxis<Index> matrix_size) {
    const PhantomKind& kind = phantom_kinds().get(name);
    // The width is that of the phantom of the scan, also for its proton image.
    const double edge_voxels = options.edge_voxels.value_or(phantom_kinds().get(options.phantom).edge_voxels);
    if (!(edge_voxels >= 0 && edge_voxels <= 100)) {
        throw UsageError(fmt::format("`edge`: {} voxels, expected 0 to 100", edge_voxels));
    }
    PhantomSite site;
    site.seed = options.phantom_seed;
    for (int axis = 0; axis < 3; ++axis) {
        const Index n = matrix_size[axis];
        site.present[axis] = n > 1;
        site.section[axis] = site.present[axis] ? 0 : options.section.value_or(kind.telling_section[axis]);
        site.voxel[axis] = 1 / static_cast<double>(n);
        site.edge_sigma[axis] = site.present[axis] ? edge_voxels / static_cast<double>(n) : 0;
    }
    return {kind.make(site), site.present, site.section};
}

std::vector<cfloat> voxel_values(const PhantomObject& object, PerAxis<Index> matrix_size) {
    return object.phantom->values(VoxelGrid::image(matrix_size));
}

Image simulate_reference_image(const SimulationOptions& options, PerAxis<Index> matrix_size, double snr) {
    const std::string_view proton_image = phantom_kinds().get(options.phantom).proton_image;
    if (proton_image.empty()) {
        throw UsageError("`reference_image`: only `phantom` sodium has a proton image that goes with it");
    }
    if (!(snr > 0)) {
        throw UsageError(fmt::format("`reference_snr`: {}, expected above 0, or inf for no noise", snr));
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] < 1 || (matrix_size[axis] > 1) != (options.request.matrix_size[axis] > 1)) {
            throw UsageError(
                fmt::format("`reference_matrix`: {} x {} x {}, expected the axes of the scan, {} x {} x {}",
                            matrix_size[0], matrix_size[1], matrix_size[2], options.request.matrix_size[0],
                            options.request.matrix_size[1], options.request.matrix_size[2]));
        }
    }
    Image image;
    image.geometry.matrix_size = matrix_size;
    image.geometry.field_of_view_mm = options.request.field_of_view_mm;
    image.geometry.orientation = Orientation{};
    image.voxels = voxel_values(phantom_object(proton_image, options, matrix_size), matrix_size);
    const double of_image =
        noise_standard_deviation(image.voxels, snr) / std::sqrt(static_cast<double>(image.voxels.size()));
    add_noise(image.voxels, of_image, options.seed, reference_noise_stream);
    std::transform(image.voxels.begin(), image.voxels.end(), image.voxels.begin(),
                   [](cfloat value) { return cfloat(std::abs(value)); });
    return image;
}

}  // namespace recon
