#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/coil_images.hpp"

namespace recon::test {

/// A strip of an object with structure along y, seen by the coils of true_maps: from one border of the field of view to
/// the other, where they see it with other weights, or `margin` fields of view away from both.
struct BorderObject {
    PerAxis<Index> matrix;  ///< [x y 1]
    Index coil_count;
    double margin = 0;

    bool holds(Index voxel) const {
        const VoxelGrid grid = VoxelGrid::image(matrix);
        return std::abs(grid.position(0, voxel % matrix[0])) < 0.3 &&
               std::abs(grid.position(1, voxel / matrix[0])) <= 0.5 - margin;
    }

    /// [x y z coil]
    std::vector<cdouble> coil_images() const {
        std::vector<cdouble> images = true_maps(matrix, coil_count);
        const Index voxel_count = matrix[0] * matrix[1];
        for (std::size_t i = 0; i < images.size(); ++i) {
            const Index voxel = static_cast<Index>(i) % voxel_count;
            const auto along = static_cast<double>(voxel % matrix[0] + voxel / matrix[0]);
            images[i] *= holds(voxel) ? 1 + 0.4 * std::cos(0.5 * along) : 0;
        }
        return images;
    }

    /// Root mean square sine of the angle between maps [x y z coil] of unit length and the true ones in the object.
    double map_error(const std::vector<cfloat>& maps) const {
        const std::vector<cdouble> truth = true_maps(matrix, coil_count);
        const Index voxel_count = matrix[0] * matrix[1];
        double sum = 0;
        Index count = 0;
        for (Index voxel = 0; voxel < voxel_count; ++voxel) {
            cdouble along = 0;
            for (Index at = voxel; at < static_cast<Index>(maps.size()); at += voxel_count) {
                along += std::conj(truth[at]) * cdouble(maps[at]);
            }
            sum += holds(voxel) ? 1 - std::norm(along) : 0;
            count += holds(voxel) ? 1 : 0;
        }
        return std::sqrt(std::max(0.0, sum) / static_cast<double>(count));
    }
};

}  // namespace recon::test
