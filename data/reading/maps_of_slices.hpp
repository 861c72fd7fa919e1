#pragma once

#include <string>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// Coil maps as a file has them.
struct StoredCoilMaps {
    std::vector<cfloat> values;  ///< [x y z coil slice]
    std::vector<Index> slices;   ///< labels of the slices; empty: one set of maps
};

/// How many slices coil maps of these extents, slowest first, are of: 1 without an axis of slices, which is the
/// slowest; 0 if they do not fit. Extents of 1 may be missing or added.
/// @param of_one  [coil z y x]
Index slices_of_maps(std::vector<Index> extents, std::vector<Index> of_one);

/// The labels of slices that an axis counts: 0, 1, ...; none if there is one.
std::vector<Index> counted_slices(Index slice_count);

/// Each slice's maps are for this image. @throws InputError if their number or values do not fit
void check_maps_of_slices(const StoredCoilMaps& maps, const PerAxis<Index>& matrix_size, Index coil_count,
                          const std::string& where);

/// Makes maps of the scan's image those of the scan: of several slices, those that it has.
/// @throws InputError if a slice has none
void take_coil_maps(Scan& scan, StoredCoilMaps maps, const std::string& where);

/// The maps of a scan as files have them: of several slices, those that are counted from 0.
/// @throws ShapeError if the scan's slices are counted otherwise, or its maps do not fill them
StoredCoilMaps stored_coil_maps(const Scan& scan);

/// Extents of these maps in a file, slowest first: [coil z y x], or [slice coil z y x]; axes so named.
std::vector<Index> extents_of_maps(const Scan& scan);
std::vector<std::string> axes_of_maps(const Scan& scan);

}  // namespace recon
