#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "gpu/gridding/gridding_groups.cuh"

namespace recon {

/// Where a sample lies, as the gridding kernels read it. Mirrors GriddingTiles::Sample.
template <class T>
struct alignas(16) GriddingPlace {
    T polynomial_t[3];  ///< argument of KernelPolynomials, per entry of TileGrid::axes
    /// Element of the tile's local buffer that holds the first grid point; with bins, that point's place in its bin,
    /// eight bits an axis. As wide as T, so that no byte is left unset.
    std::conditional_t<sizeof(T) == sizeof(float), std::int32_t, std::int64_t> local_offset;
};

/// The samples of a trajectory in the order of their tiles and bins, those of a bin in the order of acquisition.
template <class T>
struct SortedSamples {
    DeviceBuffer<GriddingPlace<T>> places;
    DeviceBuffer<std::uint32_t> sources;  ///< indices in acquisition order
    DeviceBuffer<GriddingGroup> groups;   ///< with bins
    std::vector<Index> tile_begin;        ///< as TileGrid::divide wants it, of samples, or of groups

    /// Bytes for each sample that the result keeps, and that the sorting takes at its peak.
    static constexpr std::size_t kept_bytes = sizeof(GriddingPlace<T>) + sizeof(std::uint32_t);
    static constexpr std::size_t peak_bytes = 2 * sizeof(GriddingPlace<T>) + 4 * sizeof(std::uint32_t) + sizeof(double);
};

/// Mirrors core/backend/cpu/gridding/gridding_tiles.cpp, on the device: the host sees the counts alone.
/// @throws InputError if a coordinate is not finite or absurdly far outside, DeviceError if there are 2^32 samples
template <class T>
SortedSamples<T> sort_into_tiles(CudaQueue& queue, const Trajectory& trajectory, const GriddingGeometry& geometry,
                                 const TileGrid& tiles, bool has_bins);

}  // namespace recon
