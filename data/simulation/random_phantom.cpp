#include "data/simulation/random_phantom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "core/fourier/positions.hpp"
#include "data/simulation/phantoms/ellipsoid_transform.hpp"
#include "data/simulation/phantoms/uniform.hpp"

namespace recon {
namespace {

constexpr int ellipsoid_count = 8;

EllipsoidPhantom make_phantom(PerAxis<Index> matrix_size, Uniform& uniform) {
    std::vector<Ellipsoid> ellipsoids;
    for (int i = 0; i < ellipsoid_count; ++i) {
        PerAxis<double> centre;
        PerAxis<double> semi_axes;
        for (int axis = 0; axis < 3; ++axis) {
            centre[axis] = uniform.between(-0.2, 0.2);
            semi_axes[axis] = uniform.between(0.03, 0.25);
        }
        const double angle_degrees = uniform.between(0, 180);
        ellipsoids.push_back(turned_ellipsoid(centre, semi_axes, angle_degrees, uniform.between(0.2, 1)));
    }
    PerAxis<bool> present;
    std::ranges::transform(matrix_size, present.begin(), [](Index n) { return n > 1; });
    if (std::ranges::none_of(present, [](bool is) { return is; })) {
        present[0] = true;
    }
    return {ellipsoids, present, {}, {}};
}

double sinc(double x) { return x == 0 ? 1 : std::sin(pi * x) / (pi * x); }

void require_count(const char* what, double count) {
    if (!(count >= 1 && count <= std::numeric_limits<std::int32_t>::max())) {
        throw UsageError(fmt::format("random phantom: {:.0f} {}, expected 1 to 2^31 - 1", count, what));
    }
}

std::vector<float> rounded(const std::vector<double>& values) { return {values.begin(), values.end()}; }

}  // namespace

ParboilInput random_phantom(PerAxis<Index> matrix_size, Index sample_count, std::uint64_t seed) {
    double voxel_count = 1;
    for (const Index n : matrix_size) {
        require_count("voxels along an axis", static_cast<double>(n));
        voxel_count *= static_cast<double>(n);
    }
    require_count("voxels", voxel_count);
    require_count("samples", static_cast<double>(sample_count));

    Uniform uniform(seed);
    const EllipsoidPhantom phantom = make_phantom(matrix_size, uniform);
    ParboilInput input;
    Trajectory trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        const double edge = matrix_size[axis] > 1 ? static_cast<double>(matrix_size[axis]) / 2 : 0;
        input.k[axis].resize(sample_count);
        std::ranges::generate(input.k[axis], [&] { return static_cast<float>(uniform.between(-edge, edge)); });
        trajectory.k[axis].assign(input.k[axis].begin(), input.k[axis].end());
    }
    const Positions voxels = Positions::of(VoxelGrid::image(matrix_size));
    std::ranges::transform(voxels.r, input.r.begin(), rounded);
    for (Index m = 0; m < sample_count; ++m) {
        double phi = 1;
        for (int axis = 0; axis < 3; ++axis) {
            phi *= sinc(trajectory.k[axis][m] / static_cast<double>(matrix_size[axis]));
        }
        input.phi.emplace_back(static_cast<float>(phi));
    }
    for (const cdouble& value : transform(phantom, constant_map(), trajectory)) {
        input.kspace.emplace_back(value * voxel_count);
    }
    return input;
}

}  // namespace recon
