#pragma once

#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon {

/// One of the three factors that exp(i 2 pi k.r) is split into: index `i` adds `first + i * step` fields of view along
/// component `component` of k, and `i * stride` elements in memory.
struct FactorAxis {
    Index extent = 1;
    int component = 0;
    double first = 0;
    double step = 0;
    Index stride = 0;

    double position(Index i) const { return first + static_cast<double>(i) * step; }
    double centre() const { return first + 0.5 * static_cast<double>(extent - 1) * step; }
};

/// A voxel grid as the product of three axes with different duties in a matrix product (docs/exact-sums.md).
///
/// `row` fills the lanes of the registers, `column` is mirrored about its centre (voxels at equal distances share their
/// products), `line` is what remains. A grid with an axis to spare may have its longest axis cut in two, so that 1-D
/// grids are matrix products as well; then `split_extent` is that axis's own extent and offsets beyond it do not exist.
struct FactoredGrid {
    FactorAxis row;
    FactorAxis line;
    FactorAxis column;
    Index split_extent = 0;  ///< 0 if no axis is cut

    /// The cheapest assignment of duties. @param lane_count  numbers in one register
    static FactoredGrid cheapest(const VoxelGrid& grid, int lane_count);

    /// Vector operations for one sample and `batch` images: the sums themselves, and the factors.
    double operations_per_sample(int lane_count, Index batch) const;

    bool exists(Index row_index, Index column_index) const {
        return row_index < row.extent &&
               (split_extent == 0 || row_index + column.stride / row.stride * column_index < split_extent);
    }

    // The columns of the product: cosines of the distances from the centre, then sines. An odd extent has a voxel at
    // the centre, distance 0, which needs no sine.
    Index cosine_count() const { return (column.extent + 1) / 2; }
    Index sine_count() const { return column.extent / 2; }
    /// Distance of the cosine column `i`; the sine column `i` has that of cosine column `i + cosine_count -
    /// sine_count`.
    double distance(Index i) const {
        return (static_cast<double>(i) + (column.extent % 2 == 0 ? 0.5 : 0.0)) * column.step;
    }
};

}  // namespace recon
