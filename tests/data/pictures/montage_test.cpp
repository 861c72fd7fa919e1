#include "data/pictures/montage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "core/base/error.hpp"
#include "data/pictures/display_window.hpp"
#include "data/pictures/montage_layout.hpp"
#include "data/pictures/plane.hpp"
#include "data/pictures/stroke_font.hpp"

namespace recon {
namespace {

Image blank(PerAxis<Index> size, Index frame_count = 1) {
    Image image;
    image.geometry.matrix_size = size;
    image.frames.assign(frame_count, ImageFrame{});
    image.voxels.resize(image.voxel_count() * frame_count);
    return image;
}

cfloat& voxel(Image& image, Index x, Index y, Index z, Index frame = 0) {
    const auto& size = image.geometry.matrix_size;
    return image.voxels[x + size[0] * (y + size[1] * (z + size[2] * frame))];
}

std::vector<MontageTile> tiles_of(const Image& image, Index limit = montage_tiles_alone) {
    std::vector<float> magnitudes;
    for (const cfloat v : image.voxels) {
        magnitudes.push_back(std::abs(v));
    }
    return montage_layout(image, magnitudes, std::vector<float>(image.frame_count(), 1), limit).tiles;
}

TEST(DisplayWindow, IgnoresBackgroundAndHotVoxels) {
    std::vector<float> magnitudes(10000, 0.01F);
    for (int n = 0; n < 2000; ++n) {
        magnitudes[n] = 0.5F + 0.00025F * static_cast<float>(n);  // 0.5 to 1
    }
    magnitudes[9000] = 1e6F;
    magnitudes[9001] = std::numeric_limits<float>::infinity();
    magnitudes[9002] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_NEAR(display_maximum(magnitudes), 1.1 * (0.5 + 0.995 * 0.5), 0.002);
    EXPECT_EQ(display_maximum({}), 1);
    EXPECT_EQ(display_maximum({0, 0}), 1);
    EXPECT_EQ(display_maximum({0, 0, 3e-30F}), 3e-30F);
}

TEST(Montage, OfTheBrightestTissueNothingIsCutOff) {
    std::vector<float> magnitudes;
    for (int i = 0; i < 10000; ++i) {
        const float ripple = 0.03F * static_cast<float>(i % 7 - 3) / 3;
        magnitudes.push_back(i % 3 == 0 ? 0.9F * (1 + ripple) : 0.4F);
    }
    EXPECT_FLOAT_EQ(display_maximum(magnitudes), 0.9F * 1.03F) << "the largest";
    magnitudes[5] = 1.4F;
    EXPECT_GT(display_maximum(magnitudes), 0.9F * 1.03F);
    EXPECT_LT(display_maximum(magnitudes), 1.2F);
}

TEST(Montage, ASliceIsEnlargedWithTheFirstRowOnTop) {
    Image image = blank({5, 3, 1});
    voxel(image, 0, 0, 0) = {0, 2};
    voxel(image, 4, 2, 0) = -1;
    const Picture picture = montage(image);
    const Index size = 77;  // ceil(384 / 5)
    ASSERT_EQ(picture.width, 5 * size);
    ASSERT_EQ(picture.height, 3 * size);
    EXPECT_EQ(picture.at(0, 0), 1);
    EXPECT_EQ(picture.at(size - 1, size - 1), 1);
    EXPECT_EQ(picture.at(size, 0), 0);
    EXPECT_EQ(picture.at(0, size), 0);
    EXPECT_EQ(picture.at(5 * size - 1, 3 * size - 1), 0.5F);
}

TEST(Montage, VoxelsKeepTheirProportions) {
    Image image = blank({400, 100, 1});
    image.geometry.field_of_view_mm = {400, 300, 5};
    const Picture picture = montage(image);
    EXPECT_EQ(picture.width, 400);
    EXPECT_EQ(picture.height, 300);
}

TEST(Montage, LinesAndFlatVolumesAreShownAlongTheirAxes) {
    for (const PerAxis<Index> size : {PerAxis<Index>{16, 1, 1}, {1, 16, 1}, {1, 1, 16}}) {
        const Picture line = montage(blank(size));
        EXPECT_EQ(line.width, 384);
        EXPECT_EQ(line.height, 64);
    }
    Image flat = blank({8, 1, 4});
    voxel(flat, 7, 0, 1) = 1;
    const Picture picture = montage(flat);
    EXPECT_EQ(picture.width, 384);
    EXPECT_EQ(picture.height, 192);
    EXPECT_EQ(picture.at(383, 48), 1);
    EXPECT_EQ(montage(blank({1, 1, 1})).width, 384);
}

TEST(Montage, AVolumeShowsTheSlicesThatHoldSignal) {
    Image image = blank({4, 4, 40});
    for (Index z = 10; z < 16; ++z) {
        voxel(image, 1, 1, z) = 1;
    }
    const std::vector<MontageTile> all{{0, 10}, {0, 11}, {0, 12}, {0, 13}, {0, 14}, {0, 15}};
    EXPECT_EQ(tiles_of(image), all);
    const std::vector<MontageTile> three{{0, 11}, {0, 13}, {0, 15}};
    EXPECT_EQ(tiles_of(image, 3), three);

    voxel(image, 2, 2, 30) = 1e6F;  // a hot voxel counts as much as a white one, no more
    EXPECT_EQ(tiles_of(image).size(), 21U);
    EXPECT_EQ(tiles_of(image, 7).size(), 7U);
    EXPECT_EQ(tiles_of(blank({2, 2, 100})).size(), 25U);  // no signal: all slices, evenly
}

TEST(Montage, SeriesShowRowsOfSlicesOrOneSliceAFrame) {
    Image few = blank({4, 4, 20}, 3);
    for (Index frame = 0; frame < 3; ++frame) {
        for (Index z = 5; z < 15; ++z) {
            voxel(few, 0, 0, z, frame) = 1;
        }
    }
    const auto tiles = tiles_of(few);
    ASSERT_EQ(tiles.size(), 15U);
    EXPECT_EQ(tiles[0], (MontageTile{0, 6}));
    EXPECT_EQ(tiles[7], (MontageTile{1, 10}));
    EXPECT_EQ(tiles[14], (MontageTile{2, 14}));

    const auto many = tiles_of(blank({4, 4, 3}, 60));
    ASSERT_EQ(many.size(), 25U);
    EXPECT_EQ(many.front(), (MontageTile{1, 1}));
    EXPECT_EQ(many.back(), (MontageTile{58, 1}));
    EXPECT_EQ(tiles_of(blank({4, 4, 1}, 4)).size(), 4U);
}

TEST(Montage, AllRowsOfASeriesShowTheSameSlices) {
    Image image = blank({4, 4, 40}, 2);
    for (Index z = 10; z < 15; ++z) {
        voxel(image, 1, 1, z, 0) = 1;
        voxel(image, 1, 1, z + 10, 1) = 1;
    }
    const auto tiles = tiles_of(image);
    ASSERT_EQ(tiles.size(), 10U);
    for (std::size_t n = 0; n < 5; ++n) {
        EXPECT_EQ(tiles[n].slice, tiles[n + 5].slice);
    }
    EXPECT_EQ(tiles[0].slice, 11);
    EXPECT_EQ(tiles[4].slice, 23);
}

TEST(Montage, AVolumeShowsThreePlanesAndSaysWhereItsSlicesLie) {
    Image image = blank({40, 30, 20});
    image.geometry.field_of_view_mm = {40, 30, 40};  // voxels twice as long along z
    for (Index x = 18; x < 23; ++x) {
        voxel(image, x, 7, 3) = 1;
    }
    const Picture picture = montage(image);
    const SlicePlane plane = slice_plane(image.geometry);
    const std::vector<Plane> planes = planes_through(image);
    ASSERT_EQ(planes.size(), 3U);
    const std::vector<Index> places{planes[0].index, planes[1].index, planes[2].index};  // across z, y, x
    EXPECT_EQ(places, (std::vector<Index>{3, 7, 20}));
    const Index factor = 10;  // one slice holds signal: ceil(384 / 40)
    EXPECT_EQ(plane.across, 2);
    EXPECT_EQ(picture.width, (40 + 40 + 30) * factor + 2 * 2);
    EXPECT_EQ(picture.height, text_line_height + 40 * factor + 12 + 30 * factor);
    EXPECT_EQ(picture.at(20 * factor, text_line_height + 7 * factor), 1) << "across z";
    const Index from_the_top = 20 - 1 - 3;  // z grows upwards
    EXPECT_EQ(picture.at(40 * factor + 2 + 20 * factor, text_line_height + from_the_top * 2 * factor), 1) << "across y";
    EXPECT_EQ(picture.at(80 * factor + 4 + 7 * factor, text_line_height + from_the_top * 2 * factor), 1) << "across x";
    Picture label(40 * factor, text_line_height);
    draw_text(label, 0, 0, 40 * factor, "z 4/20");
    for (Index row = 0; row < text_line_height; ++row) {
        for (Index column = 0; column < 40 * factor; ++column) {
            ASSERT_EQ(picture.at(column, row), label.at(column, row));
        }
    }
}

TEST(Montage, EachContrastHasItsOwnGreyScale) {
    Image image = blank({1, 1, 1}, 3);
    image.frames[2].label.contrast = 1;
    image.voxels = {2, 4, 100};
    const Picture picture = montage(image);  // three tiles in a row of two and a row of one, or all in a row
    std::vector<float> greys = picture.grey;
    std::sort(greys.begin(), greys.end());
    greys.erase(std::unique(greys.begin(), greys.end()), greys.end());
    const Index label = text_line_height;  // the pictures themselves: half of contrast 0, both whites
    std::set<float> greys_below;
    for (Index column = 0; column < picture.width; ++column) {
        greys_below.insert(picture.at(column, label + 1));
    }
    EXPECT_TRUE(std::ranges::includes(greys_below, std::set<float>{0.5F, 1}));
    EXPECT_TRUE(std::ranges::includes(greys, std::vector<float>{0.15F, 0.5F, 1}));
}

TEST(Montage, PanelsShareTheScaleOfTheReference) {
    Image reference = blank({2, 1, 1});
    reference.voxels = {2, 1};
    Image bright = reference;
    bright.voxels = {200, 100};
    const MontagePanel panels[] = {{"A", &bright}, {"B", &reference}};
    const Picture fitted = montage(panels, 1);
    const Index middle = text_line_height + 5;
    EXPECT_EQ(fitted.width, 2 * 384 + 12);
    EXPECT_EQ(fitted.height, text_line_height + 192);
    EXPECT_NEAR(fitted.at(0, middle), 1, 1e-6);
    EXPECT_NEAR(fitted.at(200, middle), 0.5, 1e-6);
    EXPECT_NEAR(fitted.at(384 + 12, middle), 1, 1e-6);
    // Letters are drawn above the panels, each above its own.
    Picture letter(384, text_line_height);
    draw_text(letter, 0, 0, 384, "B");
    for (Index row = 0; row < text_line_height; ++row) {
        for (Index column = 0; column < 384; ++column) {
            ASSERT_EQ(fitted.at(384 + 12 + column, row), letter.at(column, row));
        }
    }
}

TEST(Montage, PanelsThatDifferInSizeAreRefused) {
    const Image a = blank({2, 2, 1}), b = blank({2, 3, 1});
    const MontagePanel panels[] = {{"a", &a}, {"b", &b}};
    EXPECT_THROW(montage(panels, std::nullopt), ShapeError);
    EXPECT_THROW(montage({}, std::nullopt), ShapeError);
    EXPECT_THROW(montage(std::span(panels, 1), 1), ShapeError);
}

}  // namespace
}  // namespace recon
