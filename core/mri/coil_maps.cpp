#include "core/mri/coil_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/log.hpp"

namespace recon {
namespace {

double default_radius(PerAxis<Index> matrix_size) {
    Index smallest = std::max({matrix_size[0], matrix_size[1], matrix_size[2]});
    for (const Index n : matrix_size) {
        smallest = n > 1 ? std::min(smallest, n) : smallest;
    }
    return std::min(16.0, static_cast<double>(smallest) / 4);
}

/// |k| over the axes that the image has.
double distance_from_centre(const Trajectory& trajectory, Index m, PerAxis<Index> matrix_size) {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        square += matrix_size[axis] > 1 ? trajectory.k[axis][m] * trajectory.k[axis][m] : 0;
    }
    return std::sqrt(square);
}

void normalise_root_sum_of_squares(std::vector<cdouble>& images, Index coil_count) {
    const Index voxel_count = static_cast<Index>(images.size()) / coil_count;
    for (Index voxel = 0; voxel < voxel_count; ++voxel) {
        double square = 0;
        for (Index coil = 0; coil < coil_count; ++coil) {
            square += std::norm(images[coil * voxel_count + voxel]);
        }
        const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
        for (Index coil = 0; coil < coil_count; ++coil) {
            images[coil * voxel_count + voxel] *= scale;
        }
    }
}

}  // namespace

Array estimate_coil_maps(Backend& backend, const Trajectory& trajectory, std::span<const cfloat> kspace,
                         Index coil_count, std::span<const double> density_weights, PerAxis<Index> matrix_size,
                         const CoilMapOptions& options, const SumsOptions& sums) {
    const double radius = options.calibration_radius > 0 ? options.calibration_radius : default_radius(matrix_size);
    Trajectory centre;
    std::vector<Index> members;
    std::vector<double> window;
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        const double distance = distance_from_centre(trajectory, m, matrix_size);
        if (distance < radius) {
            members.push_back(m);
            window.push_back(std::pow(std::cos(pi * distance / (2 * radius)), 2) * density_weights[m]);
            for (int axis = 0; axis < 3; ++axis) {
                centre.k[axis].push_back(trajectory.k[axis][m]);
            }
        }
    }
    const Index member_count = centre.sample_count();
    if (member_count == 0) {
        throw InputError(
            fmt::format("coil maps: no sample within {:.3g} cycles per FOV of the centre of k-space; give "
                        "--coil-maps FILE or a larger --calibration-radius",
                        radius));
    }
    const Shape coil_images_shape = Shape::image(matrix_size).with_axis("coil", coil_count);
    Array maps(backend, coil_images_shape, sums.precision);
    {
        std::vector<cfloat> windowed(member_count * coil_count);
        for (Index coil = 0; coil < coil_count; ++coil) {
            for (Index i = 0; i < member_count; ++i) {
                windowed[coil * member_count + i] =
                    static_cast<float>(window[i]) * kspace[coil * trajectory.sample_count() + members[i]];
            }
        }
        if (std::all_of(windowed.begin(), windowed.end(), [](cfloat value) { return value == cfloat(0); })) {
            throw InputError("coil maps: all samples at the centre of k-space are zero; give --coil-maps FILE");
        }
        const VoxelGrid grid = VoxelGrid::image(matrix_size);
        const SumsChoice choice = choose_sums(sums, member_count, grid, coil_count);
        const auto fourier = make_fourier_sums(backend, centre, grid, choice, sums);
        Array samples(backend, Shape::samples(member_count).with_axis("coil", coil_count), sums.precision);
        upload(windowed, samples);
        fourier->adjoint(samples, maps);
    }
    std::vector<cdouble> images = download<double>(maps);
    normalise_root_sum_of_squares(images, coil_count);
    upload(images, maps);
    log_info("coil maps: estimated from {} samples within {:.3g} cycles per FOV of the centre", member_count, radius);
    return maps;
}

}  // namespace recon
