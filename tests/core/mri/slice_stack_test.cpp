#include "core/mri/slice_stack.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Slices of 2 x 1 voxels at the given positions along z; voxels hold the frame number.
Image slices_at(const std::vector<double>& positions_mm, Index repetition_count = 1) {
    Image image;
    image.geometry.matrix_size = {2, 1, 1};
    image.geometry.field_of_view_mm = {10, 5, 4};
    image.frames.clear();
    for (Index repetition = 0; repetition < repetition_count; ++repetition) {
        for (std::size_t slice = 0; slice < positions_mm.size(); ++slice) {
            Orientation place;
            place.centre_mm = {1, 2, positions_mm[slice]};
            const auto frame = static_cast<float>(image.frames.size());
            image.frames.push_back({{.repetition = repetition, .slice = static_cast<Index>(slice)}, place});
            image.voxels.insert(image.voxels.end(), 2, cfloat(frame));
        }
    }
    return image;
}

TEST(SliceStack, OrdersSlicesByPositionAndKeepsGaps) {
    const auto volume = stack_slices(slices_at({0, 12, 6, 18}, 2));  // interleaved, 6 mm apart, 4 mm thick
    ASSERT_TRUE(volume);
    EXPECT_EQ(volume->geometry.matrix_size, (PerAxis<Index>{2, 1, 4}));
    EXPECT_DOUBLE_EQ(volume->geometry.voxel_size_mm()[2], 6);
    EXPECT_DOUBLE_EQ(volume->geometry.orientation->centre_mm[2], 12);  // of index floor(4 / 2)
    ASSERT_EQ(volume->frame_count(), 2);
    EXPECT_EQ(volume->frames[1].label.repetition, 1);
    const std::vector<cfloat> expected{0, 0, 2, 2, 1, 1, 3, 3, 4, 4, 6, 6, 5, 5, 7, 7};
    EXPECT_EQ(volume->voxels, expected);
}

TEST(SliceStack, RefusesWhatIsNoStack) {
    EXPECT_FALSE(stack_slices(slices_at({0})));
    EXPECT_FALSE(stack_slices(slices_at({0, 6, 13})));  // uneven
    EXPECT_FALSE(stack_slices(slices_at({0, 0})));      // the same place

    Image unplaced = slices_at({0, 6});
    unplaced.frames[1].orientation.reset();
    EXPECT_FALSE(stack_slices(unplaced));

    Image turned = slices_at({0, 6});
    turned.frames[1].orientation->x_direction = {0, 1, 0};
    EXPECT_FALSE(stack_slices(turned));

    Image shifted = slices_at({0, 6});
    shifted.frames[1].orientation->centre_mm[0] += 1;
    EXPECT_FALSE(stack_slices(shifted));

    Image incomplete = slices_at({0, 6, 12}, 2);
    incomplete.frames.pop_back();
    incomplete.voxels.resize(incomplete.voxels.size() - 2);
    EXPECT_FALSE(stack_slices(incomplete));

    Image volumes = slices_at({0, 6});
    volumes.geometry.matrix_size = {1, 1, 2};
    EXPECT_FALSE(stack_slices(volumes));

    Image broken = slices_at({0, 6});
    broken.voxels.pop_back();
    EXPECT_THROW(stack_slices(broken), ShapeError);
}

}  // namespace
}  // namespace recon
