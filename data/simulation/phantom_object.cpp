#include "data/simulation/phantom_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "data/simulation/noise.hpp"
#include "data/simulation/phantoms/standard_phantoms.hpp"

namespace recon {
namespace {

constexpr int points_per_sharp_voxel = 4;
constexpr std::uint64_t reference_noise_stream = 2;  ///< 0 and 1 are the scan's

std::vector<Ellipsoid> ellipsoids_of(PhantomKind kind) {
    switch (kind) {
        case PhantomKind::shepp_logan: return shepp_logan_ellipsoids();
        case PhantomKind::sodium: return sodium_ellipsoids();
        default: return brain_ellipsoids();
    }
}

}  // namespace

double default_edge_voxels(PhantomKind kind) { return kind == PhantomKind::brain ? 0.6 : 0; }

PhantomObject phantom_object(PhantomKind kind, const SimulationOptions& options, PerAxis<Index> matrix_size) {
    const bool head = kind != PhantomKind::shepp_logan;
    const double edge_voxels = options.edge_voxels.value_or(default_edge_voxels(options.phantom));
    if (!(edge_voxels >= 0 && edge_voxels <= 100)) {
        throw UsageError(fmt::format("--edge: {} voxels, expected 0 to 100", edge_voxels));
    }
    // Cuts that show ventricles, nuclei and lesions, or the small ellipses. Lower x and y cuts pass beside the middle.
    const PerAxis<double> telling = head ? PerAxis<double>{0.06, -0.10, 0.065} : PerAxis<double>{0.06, 0.05, -0.125};
    PerAxis<bool> present{};
    PerAxis<double> section{};
    PerAxis<double> sigma{};
    for (int axis = 0; axis < 3; ++axis) {
        const Index n = matrix_size[axis];
        present[axis] = n > 1;
        section[axis] = present[axis] ? 0 : options.section.value_or(telling[axis]);
        sigma[axis] = present[axis] ? edge_voxels / static_cast<double>(n) : 0;
    }
    return {EllipsoidPhantom(ellipsoids_of(kind), present, section, sigma), present, section, edge_voxels == 0};
}

std::vector<cfloat> voxel_values(const PhantomObject& object, PerAxis<Index> matrix_size) {
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

Image simulate_reference_image(const SimulationOptions& options, PerAxis<Index> matrix_size, double snr) {
    if (options.phantom != PhantomKind::sodium) {
        throw UsageError("--reference-image: only --phantom sodium has a proton image that goes with it");
    }
    if (!(snr > 0)) {
        throw UsageError(fmt::format("--reference-snr: {}, expected above 0, or inf for no noise", snr));
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] < 1 || (matrix_size[axis] > 1) != (options.request.matrix_size[axis] > 1)) {
            throw UsageError(
                fmt::format("--reference-matrix: {} x {} x {}, expected the axes of the scan, {} x {} x {}",
                            matrix_size[0], matrix_size[1], matrix_size[2], options.request.matrix_size[0],
                            options.request.matrix_size[1], options.request.matrix_size[2]));
        }
    }
    Image image;
    image.geometry.matrix_size = matrix_size;
    image.geometry.field_of_view_mm = options.request.field_of_view_mm;
    image.geometry.orientation = Orientation{};
    image.voxels = voxel_values(phantom_object(PhantomKind::brain, options, matrix_size), matrix_size);
    const double of_image =
        noise_standard_deviation(image.voxels, snr) / std::sqrt(static_cast<double>(image.voxels.size()));
    add_noise(image.voxels, of_image, options.seed, reference_noise_stream);
    std::transform(image.voxels.begin(), image.voxels.end(), image.voxels.begin(),
                   [](cfloat value) { return cfloat(std::abs(value)); });
    return image;
}

}  // namespace recon
