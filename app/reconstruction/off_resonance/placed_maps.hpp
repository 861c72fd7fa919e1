#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/mri/grids/resample.hpp"
#include "core/mri/scan.hpp"
#include "data/reading/field_map_reader.hpp"

namespace recon {

/// A map of off-resonance or R2* where the image of a scan is.
struct PlacedMaps {
    std::vector<float> values;    ///< [x y z], or [x y z slice]
    std::vector<Index> slices;    ///< their labels; empty: one map for all frames
    double outside_fraction = 0;  ///< of all voxels
    std::string text;             ///< what was done, for the log
};

using Resampling = std::function<Resampled<float>(std::span<const float> map, const Geometry& source,
                                                  const Geometry& target, const std::string& source_name)>;

/// Resamples a map of a file onto the image's grid. Of a scan of several slices each gets its own: from where it lies
/// in a volume, where both say so and slices lie in different places, of several in the nearest; else from its own
/// volume or plane, counted from 0 as the labels are.
/// @throws InputError as GridPlacement::of, or if a slice has no volume of its own
PlacedMaps place_maps(const Scan& scan, const StoredMap& map, const Resampling& resampling);

/// A map with values on a small part of the image is that of something else, or lies elsewhere: a line of the log says
/// so, as it is continued beyond. @param what  it is  @throws InputError where it has none on the image
void require_overlap(const PlacedMaps& placed, const StoredMap& map, const PerAxis<Index>& matrix, const char* what);

}  // namespace recon
