#include "core/fourier/positions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// How many positions from the front on have the components from `axis` on in common with the first.
Index equal_from(const Positions& positions, int axis) {
    Index count = 1;
    const auto equal = [&](int component) { return positions.r[component][count] == positions.r[component][0]; };
    while (count < positions.count() && (axis > 1 || equal(1)) && (axis > 2 || equal(2))) {
        ++count;
    }
    return count;
}

}  // namespace

Positions Positions::of(const VoxelGrid& grid) {
    std::vector<Index> voxels(grid.shape.element_count());
    std::iota(voxels.begin(), voxels.end(), 0);
    return of(grid, voxels);
}

Positions Positions::of(const VoxelGrid& grid, std::span<const Index> voxels) {
    const PerAxis<Index> n = grid.shape.matrix_size();
    Positions positions;
    for (const Index voxel : voxels) {
        if (voxel < 0 || voxel >= grid.shape.element_count()) {
            throw ShapeError("positions: voxel " + std::to_string(voxel) + " is not in a grid " + grid.shape.text());
        }
        positions.r[0].push_back(grid.position(0, voxel % n[0]));
        positions.r[1].push_back(grid.position(1, voxel / n[0] % n[1]));
        positions.r[2].push_back(grid.position(2, voxel / n[0] / n[1]));
    }
    return positions;
}

std::optional<VoxelGrid> grid_of(const Positions& positions, double tolerance) {
    if (positions.count() == 0) {
        return std::nullopt;
    }
    const Index in_row = equal_from(positions, 1);
    const Index in_plane = equal_from(positions, 2);
    if (in_plane % in_row != 0 || positions.count() % in_plane != 0) {
        return std::nullopt;
    }
    const PerAxis<Index> extent{in_row, in_plane / in_row, positions.count() / in_plane};
    const PerAxis<Index> stride{1, in_row, in_plane};
    VoxelGrid grid{Shape::image(extent), {}, {}};
    PerAxis<double> largest{};
    for (int axis = 0; axis < 3; ++axis) {
        const double first = positions.r[axis].front();
        const double last = positions.r[axis][stride[axis] * (extent[axis] - 1)];
        largest[axis] = std::max(std::abs(first), std::abs(last));
        grid.spacing[axis] = extent[axis] > 1 ? (last - first) / static_cast<double>(extent[axis] - 1) : first;
        grid.spacing[axis] = grid.spacing[axis] == 0 ? 1 : grid.spacing[axis];
        const double origin = -first / grid.spacing[axis];
        if (!(std::abs(origin) < 1e9)) {
            return std::nullopt;
        }
        grid.origin[axis] = std::llround(origin);
    }
    for (Index n = 0; n < positions.count(); ++n) {
        for (int axis = 0; axis < 3; ++axis) {
            const double expected = grid.position(axis, n / stride[axis] % extent[axis]);
            if (!(std::abs(positions.r[axis][n] - expected) <= tolerance * largest[axis])) {
                return std::nullopt;
            }
        }
    }
    return grid;
}

void require_equal_lengths(const char* what, const PerAxis<std::vector<double>>& components) {
    for (const std::vector<double>& component : components) {
        if (component.size() != components[0].size()) {
            throw ShapeError(std::string(what) + ": a component of " + std::to_string(component.size()) +
                             " numbers beside one of " + std::to_string(components[0].size()));
        }
    }
}

}  // namespace recon
