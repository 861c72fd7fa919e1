#pragma once

#include "core/mri/image.hpp"
#include "tests/support/random.hpp"

namespace recon::test {

inline Image random_image(PerAxis<Index> size, Index frame_count = 1) {
    Image image;
    image.geometry.matrix_size = size;
    image.geometry.field_of_view_mm = {240, 150, 66};
    image.frames.assign(frame_count, ImageFrame{});
    const auto values = random_values(image.voxel_count() * frame_count, 11);
    image.voxels.assign(values.begin(), values.end());
    return image;
}

}  // namespace recon::test
