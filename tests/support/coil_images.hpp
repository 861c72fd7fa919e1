#pragma once

#include <cmath>
#include <vector>

#include "core/fourier/voxel_grid.hpp"

namespace recon::test {

/// Coils around a field of view, magnitudes 1 / distance^2 and phases that turn, [x y z coil]; smooth, of unit
/// root-sum-of-squares, the first of positive phase at the centre.
inline std::vector<cdouble> true_maps(const PerAxis<Index>& matrix_size, Index coil_count) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    const Index voxel_count = grid.shape.element_count();
    std::vector<cdouble> maps(voxel_count * coil_count);
    for (Index voxel = 0; voxel < voxel_count; ++voxel) {
        const double x = grid.position(0, voxel % matrix_size[0]);
        const double y = grid.position(1, voxel / matrix_size[0] % matrix_size[1]);
        const double z = grid.position(2, voxel / matrix_size[0] / matrix_size[1]);
        double squares = 0;
        for (Index c = 0; c < coil_count; ++c) {
            const double angle = 2 * pi * static_cast<double>(c) / static_cast<double>(coil_count);
            const double dx = x - 0.9 * std::cos(angle);
            const double dy = y - 0.9 * std::sin(angle);
            const double dz = z - (c % 2 == 0 ? 0.4 : -0.4);
            const double distance = dx * dx + dy * dy + dz * dz;
            maps[c * voxel_count + voxel] = std::polar(1 / distance, std::atan2(dy, dx) + angle);
            squares += 1 / (distance * distance);
        }
        for (Index c = 0; c < coil_count; ++c) {
            maps[c * voxel_count + voxel] /= std::sqrt(squares);
        }
    }
    return maps;
}

/// An ellipsoid that fills 80 % of each axis, with structure and a phase.
inline std::vector<cdouble> object(const PerAxis<Index>& matrix_size) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    std::vector<cdouble> image(grid.shape.element_count());
    for (Index voxel = 0; voxel < static_cast<Index>(image.size()); ++voxel) {
        const double x = grid.position(0, voxel % matrix_size[0]);
        const double y = grid.position(1, voxel / matrix_size[0] % matrix_size[1]);
        const double z = grid.position(2, voxel / matrix_size[0] / matrix_size[1]);
        if (x * x + y * y + z * z < 0.16) {
            image[voxel] = std::polar(1 + 0.5 * std::cos(40 * x + 9 * y) * std::cos(31 * y - 17 * z), 3 * x - 2 * y);
        }
    }
    return image;
}

inline std::vector<cfloat> coil_images(const PerAxis<Index>& matrix_size, Index coil_count) {
    const std::vector<cdouble> maps = true_maps(matrix_size, coil_count);
    const std::vector<cdouble> image = object(matrix_size);
    std::vector<cfloat> images;
    for (std::size_t i = 0; i < maps.size(); ++i) {
        images.emplace_back(maps[i] * image[i % image.size()]);
    }
    return images;
}

/// Root mean square over the object of the sine of the angle between vectors of coils; 1 where maps are zero.
inline double map_error(const std::vector<cfloat>& maps, const PerAxis<Index>& matrix_size, Index coil_count) {
    const std::vector<cdouble> truth = true_maps(matrix_size, coil_count);
    const std::vector<cdouble> image = object(matrix_size);
    const Index voxel_count = static_cast<Index>(image.size());
    double sum = 0;
    Index count = 0;
    for (Index voxel = 0; voxel < voxel_count; ++voxel) {
        if (image[voxel] == cdouble(0)) {
            continue;
        }
        cdouble along = 0;
        for (Index c = 0; c < coil_count; ++c) {
            along += std::conj(truth[c * voxel_count + voxel]) * cdouble(maps[c * voxel_count + voxel]);
        }
        sum += std::max(0.0, 1 - std::norm(along));
        ++count;
    }
    return std::sqrt(sum / static_cast<double>(count));
}

}  // namespace recon::test
