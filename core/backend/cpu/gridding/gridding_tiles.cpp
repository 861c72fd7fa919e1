#include "core/backend/cpu/gridding/gridding_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace recon {
namespace {

/// The sorting works on blocks of the trajectory, always the same number, each with its own counters.
constexpr Index block_count = 64;

constexpr Index largest_part = 2048;  ///< samples

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
            k, [&](double value) { return !(std::abs(value * geometry.grid_steps[a]) <= largest_grid_coordinate); });
        if (bad != k.end()) {
            refuse_sample(trajectory, a, bad - k.begin());
        }
    }
}

}  // namespace

/// Rows have room for what the inner loops write beyond the kernel, all zeros.
TileSizes cpu_tile_sizes(Index unit_points, Index row_points) {
    return {{{{1024, 1, 1}, {48, 32, 1}, {16, 16, 16}}}, largest_part, [=](Index cells) {
                return (cells + unit_points - 1) / unit_points * unit_points + row_points;
            }};
}

template <class T>
GriddingTiles<T>::GriddingTiles(const Trajectory& trajectory, const GriddingGeometry& geometry, Index unit_points,
                                Index row_points)
    : TileGrid(geometry, cpu_tile_sizes(unit_points, row_points)) {
    require_usable(trajectory, geometry);

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

    phases = divide(tile_begin);
}

template struct GriddingTiles<float>;
template struct GriddingTiles<double>;

}  // namespace recon
