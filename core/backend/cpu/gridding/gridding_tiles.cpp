#include "core/backend/cpu/gridding/gridding_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace recon {
namespace {

/// The sorting works on blocks of the trajectory, always the same number, each with its own counters.
constexpr Index block_count = 64;

constexpr Index largest_part = 2048;  ///< samples

/// Samples that are located at a time, an axis after the other: simple loops, which become vector instructions.
constexpr Index chunk_length = 256;

/// Consecutive samples of the trajectory.
template <class T>
struct Chunk {
    std::array<std::uint32_t, chunk_length> tile;
    std::array<std::int32_t, chunk_length> local_offset;      ///< as of GriddingTiles::Sample
    std::array<std::array<T, chunk_length>, 3> polynomial_t;  ///< [entry of `axes`]
};

/// One axis of the grid, for samples that are to be located.
class AxisPlaces {
public:
    /// @param tiles_before  product of the tile counts of the axes before this one
    AxisPlaces(const TileGrid::Axis& axis, double grid_steps, int width, Index tiles_before)
        : grid_steps_(grid_steps),
          grid_size_(static_cast<double>(axis.grid_size)),
          width_(width),
          most_left_(width / 2 + 1) {
        for (Index point = -most_left_; point <= axis.grid_size; ++point) {
            // A narrow grid may need several turns.
            const Index on_grid = (point % axis.grid_size + axis.grid_size) % axis.grid_size;
            const Index tile = axis.tile_of(on_grid);
            places_.push_back({static_cast<std::uint32_t>(tile * tiles_before),
                               static_cast<std::int32_t>((on_grid - axis.tile_start(tile)) * axis.local_stride)});
        }
    }

    /// Adds what this axis contributes to the tile and the local offset of `count` samples at k, and writes their t.
    template <class T>
    void locate(const double* k, Index count, Chunk<T>& chunk, std::array<T, chunk_length>& t) const {
        std::array<std::int32_t, chunk_length> first_point;  // in [-most_left_, grid size]
        for (Index i = 0; i < count; ++i) {
            const double unwrapped = k[i] * grid_steps_;
            const double g = unwrapped - std::floor(unwrapped * (1 / grid_size_)) * grid_size_;
            const double first = std::ceil(g - 0.5 * width_);
            first_point[i] = static_cast<std::int32_t>(first);
            t[i] = static_cast<T>(2 * (first - g) + width_ - 1);
        }
        for (Index i = 0; i < count; ++i) {
            const Place& place = places_[first_point[i] + most_left_];
            chunk.tile[i] += place.tile;
            chunk.local_offset[i] += place.local_offset;
        }
    }

private:
    struct Place {
        std::uint32_t tile;
        std::int32_t local_offset;
    };

    double grid_steps_;
    double grid_size_;
    double width_;
    Index most_left_;
    std::vector<Place> places_;  ///< of the samples that begin at points -most_left_, ..., grid size
};

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

    std::vector<AxisPlaces> places;
    Index tiles_before = 1;
    for (const Axis& axis : axes) {
        places.emplace_back(axis, geometry.grid_steps[axis.image_axis], width, tiles_before);
        tiles_before *= axis.tile_count;
    }

    // A stable counting sort by tile.
    const Index sample_count = trajectory.sample_count();
    const Index block_length = (sample_count + block_count - 1) / block_count;
    std::vector<Index> next(block_count * tile_count);  // [block][tile]: counts, then where the next sample goes
    const auto for_each_chunk = [&](auto&& function) {
#pragma omp parallel for schedule(static) if (sample_count > block_count * 64)
        for (Index block = 0; block < block_count; ++block) {
            const Index end = std::min(sample_count, (block + 1) * block_length);
            for (Index first = block * block_length; first < end; first += chunk_length) {
                const Index count = std::min(chunk_length, end - first);
                Chunk<T> chunk{};
                for (std::size_t i = 0; i < axes.size(); ++i) {
                    places[i].locate(&trajectory.k[axes[i].image_axis][first], count, chunk, chunk.polynomial_t[i]);
                }
                function(chunk, first, count, &next[block * tile_count]);
            }
        }
    };
    for_each_chunk([](const Chunk<T>& chunk, Index, Index count, Index* tile_size) {
        for (Index i = 0; i < count; ++i) {
            ++tile_size[chunk.tile[i]];
        }
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
    samples = CpuBuffer<Sample>(sample_count);
    for_each_chunk([&](const Chunk<T>& chunk, Index first, Index count, Index* place) {
        const auto& t = chunk.polynomial_t;
        for (Index i = 0; i < count; ++i) {
            samples.data()[place[chunk.tile[i]]++] = {first + i, chunk.local_offset[i], {t[0][i], t[1][i], t[2][i]}};
        }
    });

    phases = divide(tile_begin);
}

template struct GriddingTiles<float>;
template struct GriddingTiles<double>;

}  // namespace recon
