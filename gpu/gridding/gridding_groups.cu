#include "gpu/gridding/gridding_groups.cuh"

#include <algorithm>
#include <cub/device/device_scan.cuh>

namespace recon {
namespace {

constexpr int threads = 256;

__global__ void find_keys_kernel(const std::uint32_t* sorted_keys, Index count, Index key_count, Index* begin) {
    for (Index key = blockIdx.x * Index{blockDim.x} + threadIdx.x; key <= key_count;
         key += gridDim.x * Index{blockDim.x}) {
        Index low = 0;
        for (Index high = count; low < high;) {
            const Index middle = (low + high) / 2;
            if (sorted_keys[middle] < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        begin[key] = low;
    }
}

/// Of each bin; none behind the last one.
__global__ void count_groups_kernel(const Index* begin, Index bin_count, Index* group_count) {
    constexpr Index size = GriddingBins::samples_at_once;
    for (Index bin = blockIdx.x * Index{blockDim.x} + threadIdx.x; bin <= bin_count;
         bin += gridDim.x * Index{blockDim.x}) {
        group_count[bin] = bin < bin_count ? (begin[bin + 1] - begin[bin] + size - 1) / size : 0;
    }
}

/// @param first_group  of each bin, and of one behind the last
__global__ void make_groups_kernel(const Index* begin, const Index* first_group, Index bin_count, int width,
                                   GriddingGroup* groups) {
    const Index group_count = first_group[bin_count];
    for (Index group = blockIdx.x * Index{blockDim.x} + threadIdx.x; group <= group_count;
         group += gridDim.x * Index{blockDim.x}) {
        if (group == group_count) {
            groups[group] = {static_cast<std::uint32_t>(begin[bin_count]), 0};
            continue;
        }
        Index low = 0;  // the last bin whose first group is not behind this one
        for (Index high = bin_count; low + 1 < high;) {
            const Index middle = (low + high) / 2;
            if (first_group[middle] <= group) {
                low = middle;
            } else {
                high = middle;
            }
        }
        const Index first_sample = begin[low] + (group - first_group[low]) * GriddingBins::samples_at_once;
        groups[group] = {static_cast<std::uint32_t>(first_sample),
                         GriddingBins::first_cell(static_cast<int>(low % GriddingBins::per_tile), width)};
    }
}

__global__ void pick_kernel(const Index* from, Index count, Index step, Index* to) {
    for (Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x; i < count; i += gridDim.x * Index{blockDim.x}) {
        to[i] = from[i * step];
    }
}

}  // namespace

bool GriddingBins::serve(const GriddingGeometry& geometry, Index sample_count) {
    const int width = geometry.kernel.width;
    if (std::ranges::count(geometry.grid_size, 1) > 0 || width > widest ||
        geometry.kernel.oversampling > most_oversampling) {
        return false;
    }
    const TileGrid tiles(geometry, tile_sizes(geometry, sample_count));
    return std::ranges::all_of(tiles.axes, [&](const TileGrid::Axis& axis) {
        return axis.grid_size <= 2 * cells_along(axis.image_axis, width) * axis.tile_count;
    });
}

/// Parts short enough that those of a small scan fill the device.
TileSizes GriddingBins::tile_sizes(const GriddingGeometry& geometry, Index sample_count) {
    const int width = geometry.kernel.width;
    const Index across = 2 * cells(width);
    TileSizes sizes{{{{512, 1, 1}, {32, 32, 1}, {2 * cells_of_x, across, across}}},
                    std::clamp<Index>(sample_count / 8192, 128, 4096) / samples_at_once,
                    [](Index) { return Index{row_stride}; }};
    sizes.column_length = [=](Index) { return Index{rows(width)}; };
    sizes.are_limits = true;
    return sizes;
}

DeviceBuffer<Index> begin_of_keys(CudaQueue& queue, const std::uint32_t* sorted_keys, Index sample_count,
                                  Index key_count) {
    DeviceBuffer<Index> begin(queue, key_count + 1);
    find_keys_kernel<<<blocks_for(key_count + 1, threads), threads, 0, queue.stream()>>>(sorted_keys, sample_count,
                                                                                         key_count, begin.data());
    check_launch();
    return begin;
}

GriddingGroups group_samples(CudaQueue& queue, const DeviceBuffer<Index>& begin, Index tile_count, int width) {
    const cudaStream_t stream = queue.stream();
    const Index bin_count = tile_count * GriddingBins::per_tile;
    DeviceBuffer<Index> first_group(queue, bin_count + 1);
    count_groups_kernel<<<blocks_for(bin_count + 1, threads), threads, 0, stream>>>(begin.data(), bin_count,
                                                                                    first_group.data());
    check_launch();
    std::size_t scratch_bytes = 0;
    check(cub::DeviceScan::ExclusiveSum(nullptr, scratch_bytes, first_group.data(), first_group.data(), bin_count + 1,
                                        stream));
    {
        DeviceBuffer<std::byte> scratch(queue, static_cast<Index>(scratch_bytes));
        check(cub::DeviceScan::ExclusiveSum(scratch.data(), scratch_bytes, first_group.data(), first_group.data(),
                                            bin_count + 1, stream));
    }
    GriddingGroups result;
    DeviceBuffer<Index> first_of_tile(queue, tile_count + 1);
    pick_kernel<<<blocks_for(tile_count + 1, threads), threads, 0, stream>>>(
        first_group.data(), tile_count + 1, GriddingBins::per_tile, first_of_tile.data());
    check_launch();
    result.tile_begin.resize(tile_count + 1);
    queue.download_bytes(first_of_tile.data(), result.tile_begin.data(), result.tile_begin.size() * sizeof(Index));
    const Index group_count = result.tile_begin.back();
    result.groups = DeviceBuffer<GriddingGroup>(queue, group_count + 1);
    make_groups_kernel<<<blocks_for(group_count + 1, threads), threads, 0, stream>>>(
        begin.data(), first_group.data(), bin_count, width, result.groups.data());
    check_launch();
    return result;
}

}  // namespace recon
