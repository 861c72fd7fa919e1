#include "core/cpu/gridding_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.hpp"

namespace recon {
namespace {

/// The sorting works on blocks of the trajectory, always the same number, each with its own counters.
constexpr Index block_count = 64;

/// Grid coordinates beyond this have lost their fraction in double.
constexpr double largest_coordinate = 1e9;

Index choose_tile_count(Index grid_size, Index cells, Index halo) {
    const Index pairs = std::max<Index>(1, (grid_size + cells) / (2 * cells));
    // Two tiles of one phase have another between them, which must hold the halo of the first.
    const Index count = std::min(2 * pairs, grid_size / std::max<Index>(halo, 1) / 2 * 2);
    return std::max<Index>(count, 1);
}

/// Where a sample begins along one axis of the grid.
struct Position {
    Index first_point;  ///< modulo the grid size
    double t;           ///< argument of KernelPolynomials
};

Position locate(double k, double grid_steps, Index grid_size, int width) {
    const double size = static_cast<double>(grid_size);
    const double unwrapped = k * grid_steps;
    const double g = unwrapped - std::floor(unwrapped / size) * size;
    const double first = std::ceil(g - 0.5 * width);
    const auto point =
        static_cast<Index>(first);  // in (-width / 2 - 1, grid size], so a narrow grid may need several turns
    return {((point % grid_size) + grid_size) % grid_size, 2 * (first - g) + width - 1};
}

void require_usable(const Trajectory& trajectory, const GriddingGeometry& geometry) {
    for (int a = 0; a < 3; ++a) {
        const std::vector<double>& k = trajectory.k[a];
        const auto bad = std::ranges::find_if(
            k, [&](double value) { return !(std::abs(value * geometry.grid_steps[a]) <= largest_coordinate); });
        if (bad != k.end()) {
            throw InputError(fmt::format(
                "trajectory: component {} of sample {} is {} cycles per field of view, expected a finite number of the "
                "order of the matrix size; check the trajectory and its unit",
                "xyz"[a], bad - k.begin(), *bad));
        }
    }
}

}  // namespace

template <class T>
GriddingTiles<T>::GriddingTiles(const Trajectory& trajectory, const GriddingGeometry& geometry, Index unit_points,
                                Index row_points, const TileSizes& sizes) {
    require_usable(trajectory, geometry);
    const int width = geometry.kernel.width;
    Index grid_stride = 1;
    for (int a = 0; a < 3; ++a) {
        if (geometry.grid_size[a] > 1) {
            axes.push_back({a, geometry.grid_size[a], grid_stride, 0, 0, 0});
            grid_stride *= geometry.grid_size[a];
        }
    }
    Index tile_count = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        Axis& axis = axes[i];
        axis.tile_count = choose_tile_count(axis.grid_size, sizes.cells[axes.size() - 1][i], width - 1);
        const Index most_cells = (axis.grid_size + axis.tile_count - 1) / axis.tile_count;
        axis.local_extent = most_cells + width - 1;
        axis.local_stride = local_size;
        // Rows have room for what the inner loops write beyond the kernel, all zeros.
        local_size *=
            i == 0 ? (most_cells + unit_points - 1) / unit_points * unit_points + row_points : axis.local_extent;
        tile_count *= axis.tile_count;
    }

    // A stable counting sort by tile.
    const Index sample_count = trajectory.sample_count();
    const Index block_length = (sample_count + block_count - 1) / block_count;
    std::vector<std::uint32_t> tile_of_sample(sample_count);
    std::vector<Index> next(block_count * tile_count);  // [block][tile]: counts, then where the next sample goes
    const auto for_each_sample = [&](auto&& function) {
#pragma omp parallel for schedule(static) if (sample_count > block_count * 64)
        for (Index block = 0; block < block_count; ++block) {
            const Index end = std::min(sample_count, (block + 1) * block_length);
            for (Index m = block * block_length; m < end; ++m) {
                function(m, &next[block * tile_count]);
            }
        }
    };
    const auto position = [&](const Axis& axis, Index m) {
        return locate(trajectory.k[axis.image_axis][m], geometry.grid_steps[axis.image_axis], axis.grid_size, width);
    };
    for_each_sample([&](Index m, Index* count) {
        Index tile = 0;
        for (std::size_t i = axes.size(); i-- > 0;) {
            tile = tile * axes[i].tile_count + axes[i].tile_of(position(axes[i], m).first_point);
        }
        tile_of_sample[m] = static_cast<std::uint32_t>(tile);
        ++count[tile];
    });
    std::vector<Index> tile_begin(tile_count + 1);
    Index begin = 0;
    for (Index tile = 0; tile < tile_count; ++tile) {
        tile_begin[tile] = begin;
        for (Index block = 0; block < block_count; ++block) {
            begin += std::exchange(next[block * tile_count + tile], begin);
        }
    }
    tile_begin[tile_count] = begin;
    samples.resize(sample_count);
    for_each_sample([&](Index m, Index* place) {
        Index tile = tile_of_sample[m];
        Sample& sample = samples[place[tile]++];
        sample = {m, 0, {}};
        for (std::size_t i = 0; i < axes.size(); ++i) {
            const Position p = position(axes[i], m);
            const Index tile_here = tile % axes[i].tile_count;
            tile /= axes[i].tile_count;
            sample.local_offset +=
                static_cast<std::int32_t>((p.first_point - axes[i].tile_start(tile_here)) * axes[i].local_stride);
            sample.polynomial_t[i] = static_cast<T>(p.t);
        }
    });

    // Phases: tiles whose number is even or odd along each axis.
    std::vector<Index> by_load(tile_count);
    std::iota(by_load.begin(), by_load.end(), Index{0});
    std::ranges::stable_sort(by_load, std::greater<>{},
                             [&](Index tile) { return tile_begin[tile + 1] - tile_begin[tile]; });
    phases.resize(std::size_t{1} << axes.size());
    for (const Index tile : by_load) {
        const Index count = tile_begin[tile + 1] - tile_begin[tile];
        if (count == 0) {
            break;
        }
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
        const Index part_count = (count + sizes.largest_part - 1) / sizes.largest_part;
        for (part.queue_rank = 0; part.queue_rank < part_count; ++part.queue_rank) {
            part.first_sample = tile_begin[tile] + part.queue_rank * count / part_count;
            part.sample_count = tile_begin[tile] + (part.queue_rank + 1) * count / part_count - part.first_sample;
            phase.parts.push_back(part);
        }
    }
}

template struct GriddingTiles<float>;
template struct GriddingTiles<double>;

}  // namespace recon
