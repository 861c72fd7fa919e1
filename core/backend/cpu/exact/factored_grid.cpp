#include "core/backend/cpu/exact/factored_grid.hpp"

#include <algorithm>
#include <array>

namespace recon {
namespace {

// Vector operations, counted from the loops of exact_factors.hpp and exact_{adjoint,forward}.cpp.
constexpr double operations_per_exponential = 60;  ///< a pack of cosines and sines by polynomials
constexpr double operations_per_factor = 16;       ///< a pack of cosines and sines as a product of two
constexpr double operations_per_row = 12;          ///< a pack of rows of A, or the contraction of a pack of rows

FactorAxis whole_axis(const VoxelGrid& grid, int axis) {
    const PerAxis<Index> n = grid.shape.matrix_size();
    const Index stride = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
    return {n[axis], axis, grid.position(axis, 0), grid.spacing[axis], stride};
}

double packs(Index count, int lane_count) { return static_cast<double>((count + lane_count - 1) / lane_count); }

/// The grid with axis `cut` as row and column, `part` voxels a row, and axis `line` as lines.
FactoredGrid split_grid(const VoxelGrid& grid, int cut, int line, Index part) {
    const FactorAxis whole = whole_axis(grid, cut);
    FactoredGrid split;
    split.row = {part, cut, 0, whole.step, whole.stride};
    split.column = {(whole.extent + part - 1) / part, cut, whole.first, whole.step * static_cast<double>(part),
                    whole.stride * part};
    split.line = whole_axis(grid, line);
    split.split_extent = whole.extent;
    return split;
}

}  // namespace

double FactoredGrid::operations_per_sample(int lane_count, Index batch) const {
    const double row_packs = packs(row.extent, lane_count);
    const double column_packs = packs(cosine_count(), lane_count);
    const double factors = operations_per_exponential * (4 + packs(line.extent, lane_count)) +
                           operations_per_factor * (row_packs + column_packs);
    const double rows = static_cast<double>(batch * line.extent) * row_packs;
    return factors + rows * (2 * static_cast<double>(column.extent) + operations_per_row);
}

FactoredGrid FactoredGrid::cheapest(const VoxelGrid& grid, int lane_count) {
    constexpr int orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};
    std::vector<FactoredGrid> candidates;
    for (const auto& order : orders) {
        FactoredGrid candidate;
        candidate.row = whole_axis(grid, order[0]);
        candidate.line = whole_axis(grid, order[1]);
        candidate.column = whole_axis(grid, order[2]);
        candidates.push_back(candidate);
        // the third axis of this order is to spare, so that the first may be cut in two
        if (candidate.column.extent == 1 && grid.position(order[2], 0) == 0) {
            for (Index part = lane_count; part < candidate.row.extent; part *= 2) {
                candidates.push_back(split_grid(grid, order[0], order[1], part));
            }
        }
    }
    return *std::min_element(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) {
        return a.operations_per_sample(lane_count, 1) < b.operations_per_sample(lane_count, 1);
    });
}

}  // namespace recon
