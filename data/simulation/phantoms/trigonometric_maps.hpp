#pragma once

#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon {

/// A function of position that is a finite sum of complex exponentials: sum_q a_q exp(i 2 pi q.r), r in fields of view.
/// Several functions share the frequencies q.
struct TrigonometricMaps {
    std::vector<PerAxis<double>> frequencies;  ///< q, cycles per field of view
    Index map_count = 0;
    std::vector<cdouble> coefficients;  ///< [frequency map]

    cdouble value(Index map, const PerAxis<double>& position) const;
    /// All values of a map on a grid. @return [x y z]
    std::vector<cdouble> values(Index map, const VoxelGrid& grid) const;
};

/// One map that is 1 everywhere.
TrigonometricMaps constant_map();

/// Every map times the one map of `factor`; equal sums of frequencies are merged.
TrigonometricMaps product(const TrigonometricMaps& maps, const TrigonometricMaps& factor);

}  // namespace recon
