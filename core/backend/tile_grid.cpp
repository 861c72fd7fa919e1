#include "core/backend/tile_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/base/error.hpp"

namespace recon {
namespace {

Index choose_tile_count(Index grid_size, Index cells, bool is_limit, Index halo) {
    const Index rounding = is_limit ? 2 * cells - 1 : cells;
    const Index pairs = std::max<Index>(1, (grid_size + rounding) / (2 * cells));
    // Two tiles of one phase have another between them, which must hold the halo of the first.
    const Index count = std::min(2 * pairs, grid_size / std::max<Index>(halo, 1) / 2 * 2);
    return std::max<Index>(count, 1);
}

}  // namespace

TileGrid::TileGrid(const GriddingGeometry& geometry, const TileSizes& sizes)
    : largest_part(sizes.largest_part), width(geometry.kernel.width) {
    Index grid_stride = 1;
    for (int a = 0; a < 3; ++a) {
        if (geometry.grid_size[a] > 1) {
            axes.push_back({a, geometry.grid_size[a], grid_stride, 0, 0, 0});
            grid_stride *= geometry.grid_size[a];
        }
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        Axis& axis = axes[i];
        axis.tile_count =
            choose_tile_count(axis.grid_size, sizes.cells[axes.size() - 1][i], sizes.are_limits, width - 1);
        const Index most_cells = (axis.grid_size + axis.tile_count - 1) / axis.tile_count;
        axis.local_extent = i == 0                ? sizes.row_length(most_cells)
                            : sizes.column_length ? sizes.column_length(most_cells)
                                                  : most_cells + width - 1;
        axis.local_stride = local_size;
        local_size *= axis.local_extent;
        tile_count *= axis.tile_count;
    }
}

std::vector<TileGrid::Phase> TileGrid::divide(std::span<const Index> tile_begin) const {
    const auto count_of = [&](Index tile) { return tile_begin[tile + 1] - tile_begin[tile]; };
    std::vector<Index> by_load;
    for (Index tile = 0; tile < tile_count; ++tile) {
        if (count_of(tile) > 0) {
            by_load.push_back(tile);
        }
    }
    // To a factor of two, so that neighbours with similar loads follow one another: they share grid points.
    const auto load = [&](Index tile) { return std::bit_width(static_cast<std::uint64_t>(count_of(tile))); };
    std::ranges::stable_sort(by_load, std::greater<>{}, load);

    // Phases: tiles whose number is even or odd along each axis.
    std::vector<Phase> phases(std::size_t{1} << axes.size());
    for (const Index tile : by_load) {
        Part part{};
        std::size_t parity = 0;
        Index rest = tile;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            const Index here = rest % axes[i].tile_count;
            rest /= axes[i].tile_count;
            parity |= static_cast<std::size_t>(here % 2) << i;
            part.first_point[i] = axes[i].tile_start(here);
            part.extent[i] = axes[i].tile_start(here + 1) - part.first_point[i] + width - 1;
        }
        Phase& phase = phases[parity];
        part.queue = phase.queue_count++;
        const Index count = count_of(tile);
        const Index part_count = (count + largest_part - 1) / largest_part;
        for (part.queue_rank = 0; part.queue_rank < part_count; ++part.queue_rank) {
            part.first_sample = tile_begin[tile] + part.queue_rank * count / part_count;
            part.sample_count = tile_begin[tile] + (part.queue_rank + 1) * count / part_count - part.first_sample;
            phase.parts.push_back(part);
        }
    }
    return phases;
}

void refuse_sample(const Trajectory& trajectory, int axis, Index sample) {
    throw InputError(fmt::format(
        "trajectory: component {} of sample {} is {} cycles per field of view, expected a finite number of the order "
        "of the matrix size; check the trajectory and its unit",
        "xyz"[axis], sample, trajectory.k[axis][sample]));
}

}  // namespace recon
