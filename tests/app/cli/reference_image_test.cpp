#include "app/cli/reference/reference_image.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/log_binding.hpp"
#include "data/formats/nifti/nifti_writer.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

/// Magnitudes on the scan's voxels, turned round along x, whose directions then point the other way.
TEST(ReferenceImage, IsTakenByPositionAndItsMissingPhaseTold) {
    const test::TemporaryFolder folder;
    const Scan scan = test::sample_scan();
    const auto [nx, ny, nz] = scan.geometry.matrix_size;
    Image image;
    image.geometry = scan.geometry;
    for (Index n = 0; n < nx * ny * nz; ++n) {
        image.voxels.emplace_back(static_cast<float>(n + 1));
    }
    Image turned = image;
    Orientation& place = *turned.geometry.orientation;
    const double voxel_mm = scan.geometry.voxel_size_mm()[0];
    for (int axis = 0; axis < 3; ++axis) {
        place.centre_mm[axis] -= voxel_mm * place.x_direction[axis];  // of an even number of voxels
        place.x_direction[axis] *= -1;
    }
    for (Index row = 0; row < ny * nz; ++row) {
        std::reverse(turned.voxels.begin() + row * nx, turned.voxels.begin() + (row + 1) * nx);
    }
    write_nifti(folder / "reference.nii", turned);
    Log log(LogLevel::off);
    const LogBinding bound(&log);
    const Image reference = load_reference(folder / "reference.nii", scan);
    ASSERT_EQ(reference.voxels.size(), image.voxels.size());
    for (std::size_t n = 0; n < image.voxels.size(); ++n) {
        EXPECT_NEAR(std::abs(reference.voxels[n] - image.voxels[n]), 0, 1e-3) << n;
    }
    using ::testing::Contains, ::testing::HasSubstr;
    EXPECT_THAT(log.history(), Contains(HasSubstr("compared by position")));
    EXPECT_THAT(log.history(), Contains(HasSubstr("the phase of the image counts as error")));
}

}  // namespace
}  // namespace recon
