// Mirrors core/backend/cpu/gridding/gridding_tiles.cpp.
#include "gpu/gridding/gridding_sort.cuh"

#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <limits>
#include <string>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr int threads = 256;

/// One axis of the tiles as the kernel sees it.
struct AxisOfTiles {
    double grid_steps;
    Index grid_size;
    Index tile_count;
    Index tile_stride;   ///< of keys, from a tile to the next along this axis
    Index local_stride;  ///< elements
    int entry;           ///< of TileGrid::axes
    Index cells_of_bin;  ///< 0 without bins
    Index bin_stride;    ///< of keys
};

__device__ bool is_usable(double k, double grid_steps) { return fabs(k * grid_steps) <= largest_grid_coordinate; }

/// The least index of a coordinate that is not usable.
__global__ void find_unusable_kernel(const double* k, Index count, double grid_steps, unsigned long long* first) {
    for (Index m = blockIdx.x * Index{blockDim.x} + threadIdx.x; m < count; m += gridDim.x * Index{blockDim.x}) {
        if (!is_usable(k[m], grid_steps)) {
            atomicMin(first, static_cast<unsigned long long>(m));
        }
    }
}

/// Adds what one axis says to the key, the offset and the place of every sample; the first axis begins them.
template <class T>
__global__ void place_along_axis_kernel(const double* k, Index count, AxisOfTiles axis, int width,
                                        GriddingPlace<T>* places, std::uint32_t* keys, std::uint32_t* sources) {
    const auto size = static_cast<double>(axis.grid_size);
    for (Index m = blockIdx.x * Index{blockDim.x} + threadIdx.x; m < count; m += gridDim.x * Index{blockDim.x}) {
        const double usable = is_usable(k[m], axis.grid_steps) ? k[m] : 0;
        const double unwrapped = usable * axis.grid_steps;
        const double g = unwrapped - floor(unwrapped / size) * size;
        const double first = ceil(g - 0.5 * width);
        const auto turned = static_cast<Index>(first) % axis.grid_size;
        const Index point = turned < 0 ? turned + axis.grid_size : turned;
        const Index tile = ((point + 1) * axis.tile_count - 1) / axis.grid_size;
        const Index tile_start = tile * axis.grid_size / axis.tile_count;
        const Index cell = point - tile_start;
        const Index bin = axis.cells_of_bin > 0 ? cell / axis.cells_of_bin : 0;
        const auto offset = static_cast<int>(axis.cells_of_bin > 0 ? cell << 8 * axis.entry : cell * axis.local_stride);
        const auto key = static_cast<std::uint32_t>(tile * axis.tile_stride + bin * axis.bin_stride);
        if (axis.entry == 0) {
            places[m].polynomial_t[1] = 0;
            places[m].polynomial_t[2] = 0;
            places[m].local_offset = offset;
            keys[m] = key;
            sources[m] = static_cast<std::uint32_t>(m);
        } else {
            places[m].local_offset += offset;
            keys[m] += key;
        }
        places[m].polynomial_t[axis.entry] = static_cast<T>(2 * (first - g) + width - 1);
    }
}

template <class T>
__global__ void gather_kernel(const GriddingPlace<T>* from, const std::uint32_t* sources, Index count,
                              GriddingPlace<T>* to) {
    for (Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x; i < count; i += gridDim.x * Index{blockDim.x}) {
        to[i] = from[sources[i]];
    }
}

std::uint32_t checked_count(const CudaQueue& queue, Index sample_count) {
    if (sample_count > Index{std::numeric_limits<std::uint32_t>::max()}) {
        throw DeviceError(queue.name() + ": gridding takes up to 4294967295 samples, found " +
                          std::to_string(sample_count) + "; use `device` cpu");
    }
    return static_cast<std::uint32_t>(sample_count);
}

}  // namespace

template <class T>
SortedSamples<T> sort_into_tiles(CudaQueue& queue, const Trajectory& trajectory, const GriddingGeometry& geometry,
                                 const TileGrid& tiles, bool has_bins) {
    const Index keys_of_tile = has_bins ? GriddingBins::per_tile : 1;
    const Index key_count = tiles.tile_count * keys_of_tile;
    const std::uint32_t count = checked_count(queue, trajectory.sample_count());
    const cudaStream_t stream = queue.stream();
    const unsigned blocks = blocks_for(count, threads);
    DeviceBuffer<unsigned long long> unusable(queue, 3);
    check(cudaMemsetAsync(unusable.data(), 0xff, 3 * sizeof(unsigned long long), stream));

    const bool sorts = !tiles.axes.empty();
    DeviceBuffer<GriddingPlace<T>> places(queue, sorts ? count : 0);
    DeviceBuffer<std::uint32_t> key_of_sample(queue, sorts ? count : 0);
    DeviceBuffer<std::uint32_t> sources(queue, sorts ? count : 0);
    {
        DeviceBuffer<double> k(queue, count);
        Index tile_stride = keys_of_tile;
        int entry = 0;
        for (int a = 0; a < 3; ++a) {
            queue.upload_bytes(trajectory.k[a].data(), k.data(), count * sizeof(double));
            find_unusable_kernel<<<blocks, threads, 0, stream>>>(k.data(), count, geometry.grid_steps[a],
                                                                 unusable.data() + a);
            check_launch();
            if (geometry.grid_size[a] > 1) {
                const TileGrid::Axis& axis = tiles.axes[entry];
                place_along_axis_kernel<<<blocks, threads, 0, stream>>>(
                    k.data(), count,
                    AxisOfTiles{geometry.grid_steps[a], axis.grid_size, axis.tile_count, tile_stride, axis.local_stride,
                                entry, has_bins ? GriddingBins::cells_along(entry, tiles.width) : 0, Index{1} << entry},
                    tiles.width, places.data(), key_of_sample.data(), sources.data());
                check_launch();
                tile_stride *= axis.tile_count;
                ++entry;
            }
        }
    }

    SortedSamples<T> sorted;
    if (sorts) {
        DeviceBuffer<std::uint32_t> other_keys(queue, count);
        DeviceBuffer<std::uint32_t> other_sources(queue, count);
        cub::DoubleBuffer<std::uint32_t> keys(key_of_sample.data(), other_keys.data());
        cub::DoubleBuffer<std::uint32_t> values(sources.data(), other_sources.data());
        const int bits = std::max<int>(1, std::bit_width(static_cast<std::uint64_t>(key_count - 1)));
        std::size_t scratch_bytes = 0;
        check(cub::DeviceRadixSort::SortPairs(nullptr, scratch_bytes, keys, values, count, 0, bits, stream));
        DeviceBuffer<std::byte> scratch(queue, static_cast<Index>(scratch_bytes));
        check(cub::DeviceRadixSort::SortPairs(scratch.data(), scratch_bytes, keys, values, count, 0, bits, stream));

        sorted.places = DeviceBuffer<GriddingPlace<T>>(queue, count);
        gather_kernel<<<blocks, threads, 0, stream>>>(places.data(), values.Current(), count, sorted.places.data());
        check_launch();
        sorted.sources = std::move(values.Current() == sources.data() ? sources : other_sources);

        const DeviceBuffer<Index> begin = begin_of_keys(queue, keys.Current(), count, key_count);
        if (has_bins) {
            GriddingGroups grouped = group_samples(queue, begin, tiles.tile_count, tiles.width);
            sorted.groups = std::move(grouped.groups);
            sorted.tile_begin = std::move(grouped.tile_begin);
        } else {
            sorted.tile_begin.resize(tiles.tile_count + 1);
            queue.download_bytes(begin.data(), sorted.tile_begin.data(), sorted.tile_begin.size() * sizeof(Index));
        }
    }
    unsigned long long first_unusable[3];
    queue.download_bytes(unusable.data(), first_unusable, sizeof(first_unusable));
    for (int a = 0; a < 3; ++a) {
        if (first_unusable[a] < count) {
            refuse_sample(trajectory, a, static_cast<Index>(first_unusable[a]));
        }
    }
    return sorted;
}

template SortedSamples<float> sort_into_tiles(CudaQueue&, const Trajectory&, const GriddingGeometry&, const TileGrid&,
                                              bool);
template SortedSamples<double> sort_into_tiles(CudaQueue&, const Trajectory&, const GriddingGeometry&, const TileGrid&,
                                               bool);

}  // namespace recon
