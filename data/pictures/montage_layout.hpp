#pragma once

#include <vector>

#include "core/mri/image.hpp"

namespace recon {

constexpr Index montage_tiles_alone = 25;
constexpr Index montage_tiles_in_panel = 9;

/// Which axes of a volume a picture shows. Slices lie across z, unless the volume is flat along x or y.
struct SlicePlane {
    Index columns, rows, slices;
    Index column_stride, row_stride, slice_stride;  ///< voxels
    double column_mm, row_mm;                       ///< voxel sizes; 1 where unknown
    int across;                                     ///< axis of the slices
};

struct MontageTile {
    Index frame, slice;
    friend bool operator==(const MontageTile&, const MontageTile&) = default;
};

/// Which slices of which frames to show, in reading order, and how large.
struct MontageLayout {
    SlicePlane plane;
    std::vector<MontageTile> tiles;
    Index columns;                    ///< tiles side by side
    Index column_pixels, row_pixels;  ///< pixels a voxel
};

SlicePlane slice_plane(const Geometry& geometry);

/// @param magnitudes  of all frames, @param white  display level of each frame; brighter voxels count as white.
MontageLayout montage_layout(const Image& image, const std::vector<float>& magnitudes, const std::vector<float>& white,
                             Index tile_limit);

}  // namespace recon
