#include "data/pictures/montage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/base/error.hpp"
#include "data/pictures/display_window.hpp"
#include "data/pictures/montage_layout.hpp"
#include "data/pictures/plane.hpp"
#include "data/pictures/stroke_font.hpp"

namespace recon {

namespace {

constexpr float gap_grey = 0.15F;
constexpr Index gap = 2;         // pixels between slices
constexpr Index panel_gap = 12;  // pixels between panels

std::vector<float> magnitudes_of(const Image& image) {
    std::vector<float> magnitudes(image.voxels.size());
    std::transform(image.voxels.begin(), image.voxels.end(), magnitudes.begin(), [](cfloat v) { return std::abs(v); });
    return magnitudes;
}

/// For each frame what is shown as white: common to all frames of a contrast.
std::vector<float> white_levels(const Image& image, const std::vector<float>& magnitudes) {
    std::map<Index, std::vector<float>> pooled;
    for (Index frame = 0; frame < image.frame_count(); ++frame) {
        auto& pool = pooled[image.frames[frame].label.contrast];
        const auto first = magnitudes.begin() + frame * image.voxel_count();
        pool.insert(pool.end(), first, first + image.voxel_count());
    }
    std::map<Index, float> level;
    for (auto& [contrast, pool] : pooled) {
        level[contrast] = display_maximum(std::move(pool));
    }
    std::vector<float> levels;
    for (const ImageFrame& frame : image.frames) {
        levels.push_back(level[frame.label.contrast]);
    }
    return levels;
}

/// The real factor that brings `values` closest to `reference`; voxels that are not finite do not count.
double fitted_factor(const std::vector<float>& values, const std::vector<float>& reference) {
    double product = 0, square = 0;
    for (std::size_t n = 0; n < values.size(); ++n) {
        if (std::isfinite(values[n]) && std::isfinite(reference[n])) {
            product += double{values[n]} * reference[n];
            square += double{values[n]} * values[n];
        }
    }
    return square > 0 ? product / square : 0;
}

void draw_tile(Picture& picture, Index left, Index top, const MontageLayout& layout, const float* volume, Index slice,
               double factor) {
    const SlicePlane& plane = layout.plane;
    for (Index row = 0; row < plane.rows * layout.row_pixels; ++row) {
        for (Index column = 0; column < plane.columns * layout.column_pixels; ++column) {
            const Index voxel = column / layout.column_pixels * plane.column_stride +
                                row / layout.row_pixels * plane.row_stride + slice * plane.slice_stride;
            picture.at(left + column, top + row) = static_cast<float>(factor * volume[voxel]);
        }
    }
}

void draw_label(Picture& picture, Index left, Index top, Index width, const std::string& text) {
    for (Index row = top; row < top + text_line_height; ++row) {
        std::fill_n(picture.grey.begin() + row * picture.width + left, width, 0.0F);
    }
    draw_text(picture, left, top, width, text);
}

/// "z 12/48": slices are counted from 1, as people do.
std::string place_text(const char* axis, Index slice, Index count) {
    return fmt::format("{} {}/{}", axis, slice + 1, count);
}

std::string label_of(const MontageTile& tile, const Image& image, const SlicePlane& plane) {
    std::string frame = image.frame_count() > 1 ? fmt::format("frame {}", tile.frame + 1) : "";
    if (plane.slices == 1) {
        return frame;
    }
    const std::string place = place_text(plane_axes[plane.across], tile.slice, plane.slices);
    return frame.empty() ? place : frame + ", " + place;
}

Picture draw_slices(const Image& image, const std::vector<float>& magnitudes, const std::vector<double>& factors,
                    const MontageLayout& layout) {
    const Index tile_width = layout.plane.columns * layout.column_pixels;
    const Index label_height = layout.tiles.size() > 1 ? text_line_height : 0;
    const Index tile_height = layout.plane.rows * layout.row_pixels + label_height;
    const auto rows = (static_cast<Index>(layout.tiles.size()) + layout.columns - 1) / layout.columns;
    Picture picture(layout.columns * (tile_width + gap) - gap, rows * (tile_height + gap) - gap, gap_grey);
    for (std::size_t n = 0; n < layout.tiles.size(); ++n) {
        const MontageTile& tile = layout.tiles[n];
        const Index column = static_cast<Index>(n) % layout.columns, row = static_cast<Index>(n) / layout.columns;
        const Index left = column * (tile_width + gap), top = row * (tile_height + gap);
        if (label_height > 0) {
            draw_label(picture, left, top, tile_width, label_of(tile, image, layout.plane));
        }
        draw_tile(picture, left, top + label_height, layout, magnitudes.data() + tile.frame * image.voxel_count(),
                  tile.slice, factors[static_cast<std::size_t>(tile.frame)]);
    }
    return picture;
}

/// Pixels a voxel along each axis, as those of the slices across z.
PerAxis<Index> pixels_of(const MontageLayout& layout, const Geometry& geometry) {
    const PerAxis<double> voxel_mm = geometry.voxel_size_mm();
    const bool known = voxel_mm[0] > 0 && voxel_mm[2] > 0;
    const double ratio = known ? voxel_mm[2] / voxel_mm[0] : 1;
    constexpr double longest_voxel = 16;
    const auto along_z = std::lround(static_cast<double>(layout.column_pixels) * std::min(ratio, longest_voxel));
    return {layout.column_pixels, layout.row_pixels, std::max<Index>(1, along_z)};
}

/// The planes beside each other.
Picture draw_planes(const std::vector<Plane>& planes, const Geometry& geometry, const PerAxis<Index>& pixels,
                    const float* volume, double factor) {
    const PerAxis<Index>& matrix = geometry.matrix_size;
    Index width = -gap, height = 0;
    for (const Plane& plane : planes) {
        const auto [right, down] = axes_in(plane);
        width += matrix[right] * pixels[right] + gap;
        height = std::max(height, matrix[down] * pixels[down]);
    }
    Picture picture(width, height + text_line_height, 0);
    Index left = 0;
    for (const Plane& plane : planes) {
        const auto [right, down] = axes_in(plane);
        const Index plane_width = matrix[right] * pixels[right];
        draw_label(picture, left, 0, plane_width,
                   place_text(plane_axes[plane.across], plane.index, matrix[plane.across]));
        for (Index row = 0; row < matrix[down] * pixels[down]; ++row) {
            for (Index column = 0; column < plane_width; ++column) {
                const Index voxel = voxel_of(plane, matrix, column / pixels[right], row / pixels[down]);
                picture.at(left + column, text_line_height + row) = static_cast<float>(factor * volume[voxel]);
            }
        }
        left += plane_width + gap;
    }
    return picture;
}

void paste(Picture& picture, const Picture& part, Index left, Index top) {
    for (Index row = 0; row < part.height; ++row) {
        std::copy_n(part.grey.begin() + row * part.width, part.width,
                    picture.grey.begin() + (top + row) * picture.width + left);
    }
}

/// A volume's planes through the middle of its signal, and its slices below.
Picture draw_panel(const Image& image, const std::vector<float>& magnitudes, const std::vector<double>& factors,
                   const MontageLayout& layout, const std::vector<Plane>& planes) {
    Picture slices = draw_slices(image, magnitudes, factors, layout);
    if (planes.size() < 3 || image.frame_count() > 1) {
        return slices;
    }
    const Picture above =
        draw_planes(planes, image.geometry, pixels_of(layout, image.geometry), magnitudes.data(), factors.front());
    Picture picture(std::max(above.width, slices.width), above.height + panel_gap + slices.height, 0);
    paste(picture, above, 0, 0);
    paste(picture, slices, 0, above.height + panel_gap);
    return picture;
}

void require_equal_panels(std::span<const MontagePanel> panels, std::optional<Index> reference) {
    if (panels.empty() || (reference && (*reference < 0 || *reference >= static_cast<Index>(panels.size())))) {
        throw ShapeError("montage: no panel to show");
    }
    for (const MontagePanel& panel : panels) {
        panel.image->require_consistent();
        if (panel.image->geometry.matrix_size != panels[0].image->geometry.matrix_size ||
            panel.image->frame_count() != panels[0].image->frame_count()) {
            throw ShapeError("montage: the panels " + panels[0].label + " and " + panel.label + " differ in size");
        }
    }
}

}  // namespace

Picture montage(const Image& image) {
    const MontagePanel panel{"", &image};
    return montage(std::span(&panel, 1), std::nullopt);
}

Picture montage(std::span<const MontagePanel> panels, std::optional<Index> reference) {
    require_equal_panels(panels, reference);
    std::vector<std::vector<float>> magnitudes;
    for (const MontagePanel& panel : panels) {
        magnitudes.push_back(magnitudes_of(*panel.image));
    }
    const Index guide = reference.value_or(0);
    const std::vector<float> guide_levels = white_levels(*panels[guide].image, magnitudes[guide]);
    const auto tile_limit = panels.size() == 1 ? montage_tiles_alone : montage_tiles_in_panel;
    const MontageLayout layout = montage_layout(*panels[guide].image, magnitudes[guide], guide_levels, tile_limit);

    const std::vector<Plane> planes = planes_through(*panels[guide].image);
    const bool labelled = std::any_of(panels.begin(), panels.end(), [](const auto& p) { return !p.label.empty(); });
    const Index title_height = labelled ? text_line_height : 0;
    Picture picture;
    for (std::size_t n = 0; n < panels.size(); ++n) {
        const bool fitted = reference && guide != static_cast<Index>(n) && panels[n].scale == PanelScale::fitted;
        const double scale = fitted ? fitted_factor(magnitudes[n], magnitudes[guide]) : 1;
        const auto levels = reference ? guide_levels : white_levels(*panels[n].image, magnitudes[n]);
        std::vector<double> factors;
        for (const float level : levels) {
            factors.push_back(scale / level);
        }
        const Picture part = draw_panel(*panels[n].image, magnitudes[n], factors, layout, planes);
        const auto panel_count = static_cast<Index>(panels.size());
        if (n == 0) {
            picture = Picture(panel_count * (part.width + panel_gap) - panel_gap, part.height + title_height, 0);
        }
        const Index left = static_cast<Index>(n) * (part.width + panel_gap);
        paste(picture, part, left, title_height);
        if (labelled) {
            draw_text(picture, left, 0, part.width, panels[n].label);
        }
    }
    return picture;
}

}  // namespace recon
