#include "data/pictures/montage_layout.hpp"

#include <algorithm>
#include <cmath>

namespace recon {

namespace {

constexpr double signal_fraction = 0.02;  // of the strongest slice's energy: above noise, and keeps the object's tips
constexpr Index row_frames = 5;           // up to here each frame has a row of its own
constexpr Index slices_per_row = 5;
constexpr Index single_pixels = 384, grid_pixels = 768;  // least size of a picture
constexpr Index line_pixels = 64;                        // height of a 1-D image

struct SliceRange {
    Index first, count;
    Index middle() const { return first + count / 2; }
    /// Slice n of `shown` evenly spread ones, each in the middle of its share.
    Index spread(Index n, Index shown) const { return first + (2 * n + 1) * count / (2 * shown); }
};

/// From the first to the last slice that holds signal; all slices if none does.
SliceRange signal_slices(const float* volume, const SlicePlane& plane, float white) {
    std::vector<double> energy(plane.slices, 0.0);
    for (Index slice = 0; slice < plane.slices; ++slice) {
        for (Index row = 0; row < plane.rows; ++row) {
            for (Index column = 0; column < plane.columns; ++column) {
                const double value =
                    volume[slice * plane.slice_stride + row * plane.row_stride + column * plane.column_stride];
                // one hot voxel must not outweigh the object
                const double shown = std::isfinite(value) ? std::min<double>(value, white) : 0;
                energy[slice] += shown * shown;
            }
        }
    }
    const double threshold = signal_fraction * *std::max_element(energy.begin(), energy.end());
    const auto has_signal = [&](double e) { return e > threshold; };
    const auto first = std::find_if(energy.begin(), energy.end(), has_signal);
    if (first == energy.end()) {
        return {0, plane.slices};
    }
    const auto last = std::find_if(energy.rbegin(), energy.rend(), has_signal).base();
    return {first - energy.begin(), last - first};
}

/// Near-square, with as few empty places as one column more can give.
Index grid_columns(Index tiles) {
    const auto square = static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(tiles))));
    const auto empty = [&](Index columns) { return (tiles + columns - 1) / columns * columns - tiles; };
    return square > 2 && empty(square + 1) < empty(square) ? square + 1 : square;
}

void choose_tiles(MontageLayout& layout, const Image& image, const std::vector<float>& magnitudes,
                  const std::vector<float>& white, Index tile_limit) {
    const SlicePlane& plane = layout.plane;
    const auto range = [&](Index frame) {
        return signal_slices(magnitudes.data() + frame * image.voxel_count(), plane, white[frame]);
    };
    const Index frame_count = image.frame_count();
    if (frame_count == 1) {
        const SliceRange slices = range(0);
        const Index shown = std::min(slices.count, tile_limit);
        for (Index n = 0; n < shown; ++n) {
            layout.tiles.push_back({0, slices.spread(n, shown)});
        }
        layout.columns = grid_columns(shown);
    } else if (frame_count <= row_frames && plane.slices > 1) {
        Index first = plane.slices, end = 0;  // of all frames: rows show the same slices
        for (Index frame = 0; frame < frame_count; ++frame) {
            const SliceRange slices = range(frame);
            first = std::min(first, slices.first);
            end = std::max(end, slices.first + slices.count);
        }
        const SliceRange slices{first, end - first};
        layout.columns = std::min(slices_per_row, slices.count);
        for (Index frame = 0; frame < frame_count; ++frame) {
            for (Index n = 0; n < layout.columns; ++n) {
                layout.tiles.push_back({frame, slices.spread(n, layout.columns)});
            }
        }
    } else {
        const Index shown = std::min(frame_count, tile_limit);
        const SliceRange frames{0, frame_count};
        for (Index n = 0; n < shown; ++n) {
            const Index frame = frames.spread(n, shown);
            layout.tiles.push_back({frame, range(frame).middle()});
        }
        layout.columns = grid_columns(shown);
    }
}

void choose_enlargement(MontageLayout& layout) {
    const SlicePlane& plane = layout.plane;
    const double smaller = std::min(plane.column_mm, plane.row_mm);
    constexpr double longest_voxel = 16;  // beyond, a picture is no help
    const double wide = std::min(plane.column_mm / smaller, longest_voxel);
    const double high = std::min(plane.row_mm / smaller, longest_voxel);

    const auto tile_count = static_cast<Index>(layout.tiles.size());
    const Index rows = (tile_count + layout.columns - 1) / layout.columns;
    const double longest = std::max(static_cast<double>(layout.columns * plane.columns) * wide,
                                    static_cast<double>(rows * plane.rows) * high);
    const double wanted = static_cast<double>(tile_count == 1 ? single_pixels : grid_pixels);
    const double factor = std::ceil(wanted / longest);
    layout.column_pixels = std::max<Index>(1, std::lround(factor * wide));
    layout.row_pixels = std::max<Index>(1, std::lround(factor * high));
    if (plane.rows == 1) {
        layout.row_pixels = std::max(layout.row_pixels, line_pixels);
    }
}

}  // namespace

SlicePlane slice_plane(const Geometry& geometry) {
    const PerAxis<Index>& size = geometry.matrix_size;
    int column = 0, row = 1, slice = 2;
    if (size[2] > 1 && size[0] == 1 && size[1] == 1) {
        column = 2, row = 0, slice = 1;
    } else if (size[1] > 1 && size[0] == 1 && size[2] == 1) {
        column = 1, row = 0, slice = 2;
    } else if (size[2] > 1 && size[1] == 1) {
        column = 0, row = 2, slice = 1;
    } else if (size[2] > 1 && size[0] == 1) {
        column = 1, row = 2, slice = 0;
    }
    const PerAxis<Index> stride{1, size[0], size[0] * size[1]};
    const PerAxis<double> voxel_mm = geometry.voxel_size_mm();
    const bool known = voxel_mm[column] > 0 && voxel_mm[row] > 0;
    return {size[column],
            size[row],
            size[slice],
            stride[column],
            stride[row],
            stride[slice],
            known ? voxel_mm[column] : 1.0,
            known ? voxel_mm[row] : 1.0,
            slice};
}

MontageLayout montage_layout(const Image& image, const std::vector<float>& magnitudes, const std::vector<float>& white,
                             Index tile_limit) {
    MontageLayout layout{slice_plane(image.geometry), {}, 1, 1, 1};
    choose_tiles(layout, image, magnitudes, white, tile_limit);
    choose_enlargement(layout);
    return layout;
}

}  // namespace recon
