#include "app/cli/reference/reference_image.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/log_binding.hpp"
#include "data/formats/nifti/nifti_writer.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
#include "tests/support/error_matchers.hpp"
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

/// Before anything is computed, not after.
TEST(ReferenceImage, OfZerosOrNoNumbersIsRefused) {
    const test::TemporaryFolder folder;
    const Scan scan = test::sample_scan();
    Image image;
    image.geometry = scan.geometry;
    image.voxels.resize(static_cast<std::size_t>(image.voxel_count()));
    const auto refused = [&](const std::string& text) {
        write_nifti(folder / "reference.nii", image);
        test::expect_error<InputError>([&] { load_reference(folder / "reference.nii", scan); },
                                       {"reference.nii", text});
    };
    refused("frame 0 of the reference is zero everywhere");
    image.voxels.assign(image.voxels.size(), cfloat(1));
    image.voxels[7] = std::numeric_limits<float>::infinity();
    refused("1 of");
}

/// Slices as MRD has them, and the volume that they form: of one size, of unlike values in each slice.
class ReferenceOfSlices : public ::testing::Test {
protected:
    ReferenceOfSlices() {
        scan_.geometry.matrix_size = {6, 5, 1};
        scan_.geometry.field_of_view_mm = {60, 50, 4};
        scan_.geometry.orientation = Orientation{};
        for (Index slice = 0; slice < slice_count; ++slice) {
            Frame& frame = scan_.frames.emplace_back();
            frame.label.slice = slice;
            frame.orientation = Orientation{};
            // interleaved: label 0, 1, 2, 3 lie at 0, 8, 4, 12 mm
            frame.orientation->centre_mm[2] = places_mm_[static_cast<std::size_t>(slice)];
        }
        volume_.geometry.matrix_size = {6, 5, slice_count};
        volume_.geometry.field_of_view_mm = {60, 50, 16};
        volume_.geometry.orientation = Orientation{};
        volume_.geometry.orientation->centre_mm[2] = 8;
        for (Index n = 0; n < of_slice_ * slice_count; ++n) {
            volume_.voxels.emplace_back(static_cast<float>(n + 1));
        }
    }
    void expect_slices(const Image& reference) const {
        EXPECT_EQ(reference.geometry.matrix_size, scan_.geometry.matrix_size);
        ASSERT_EQ(reference.frame_count(), slice_count);
        for (Index frame = 0; frame < slice_count; ++frame) {
            const Index z = static_cast<Index>(places_mm_[static_cast<std::size_t>(frame)] / 4);
            EXPECT_NEAR(reference.frame(frame)[0].real(), static_cast<float>(z * of_slice_ + 1), 1e-3) << frame;
        }
    }

    static constexpr Index slice_count = 4;
    const Index of_slice_ = 6 * 5;
    const std::vector<double> places_mm_{0, 8, 4, 12};
    test::TemporaryFolder folder_;
    Scan scan_;
    Image volume_;
};

TEST_F(ReferenceOfSlices, AVolumeIsComparedSliceBySlice) {
    write_nifti(folder_ / "volume.nii", volume_);
    Log log(LogLevel::off);
    const LogBinding bound(&log);
    expect_slices(load_reference(folder_ / "volume.nii", scan_));
    EXPECT_THAT(log.history(), ::testing::Contains(::testing::HasSubstr("one by one, by position")));
}

TEST_F(ReferenceOfSlices, AVolumeFromTheOtherEndIsTurned) {
    Image turned = volume_;
    turned.geometry.orientation->z_direction[2] = turned.geometry.orientation->x_direction[0] = -1;  // right-handed
    turned.geometry.orientation->centre_mm = {-10, 0, 4};  // of even numbers of voxels
    std::reverse(turned.voxels.begin(), turned.voxels.end());
    for (Index slice = 0; slice < slice_count; ++slice) {  // along y, which is not turned
        for (Index y = 0; y < 2; ++y) {
            const auto first = turned.voxels.begin() + slice * of_slice_;
            std::swap_ranges(first + y * 6, first + (y + 1) * 6, first + (4 - y) * 6);
        }
    }
    write_nifti(folder_ / "volume.nii", turned);
    expect_slices(load_reference(folder_ / "volume.nii", scan_));
}

TEST_F(ReferenceOfSlices, OfAnotherSizeIsRefused) {
    volume_.geometry.matrix_size[2] = 3;
    volume_.voxels.resize(static_cast<std::size_t>(3 * of_slice_));
    write_nifti(folder_ / "volume.nii", volume_);
    test::expect_error<InputError>([&] { load_reference(folder_ / "volume.nii", scan_); },
                                   {"volume.nii", "equal sizes"});
}

/// The other way round: a scan of a volume, whose reference another program has as slices.
TEST_F(ReferenceOfSlices, SlicesAreTheVolumeThatTheyForm) {
    Image slices;
    slices.geometry = scan_.geometry;
    slices.frames.clear();
    for (const Frame& frame : scan_.frames) {
        slices.frames.push_back({frame.label, frame.orientation});
        const auto z = static_cast<Index>(frame.orientation->centre_mm[2] / 4);
        const auto from = volume_.frame(0).begin() + z * of_slice_;
        slices.voxels.insert(slices.voxels.end(), from, from + of_slice_);
    }
    write_image_hdf5(folder_ / "slices.h5", {.image = slices, .run = RunRecord::object()});
    Scan of_volume = scan_;
    of_volume.geometry = volume_.geometry;
    of_volume.frames.resize(1);
    of_volume.frames[0].orientation.reset();
    EXPECT_EQ(load_reference(folder_ / "slices.h5", of_volume).voxels, volume_.voxels);
}

}  // namespace
}  // namespace recon
