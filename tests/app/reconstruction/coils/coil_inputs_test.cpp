#include "app/reconstruction/coils/coil_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/log_binding.hpp"
#include "core/mri/coil_parts.hpp"
#include "data/formats/nifti/nifti_writer.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

/// Also where the scan's own could be read by coils.
TEST(CoilInputs, MapsOfAFileAreUsedInPlaceOfTheScansOwn) {
    const test::TemporaryFolder folder;
    Scan scan = test::sample_scan({.coils = 5});
    write_scan(scan, folder / "scan.h5");
    for (cfloat& value : scan.coil_maps) {
        value = std::conj(value) + cfloat(0.25F);
    }
    write_scan(scan, folder / "other.h5");
    ScanReadOptions reading;
    reading.kspace = KspaceReading::in_parts;
    Scan read = read_scan(folder / "scan.h5", reading);
    ASSERT_TRUE(can_be_held_in_parts(read));
    CoilOptions options;
    read_coil_inputs(read, (folder / "other.h5") + ":/coil_maps", "", options);
    if (can_be_held_in_parts(read)) {
        hold_part(read, only_rank());
    } else {
        hold_all(read);
    }
    EXPECT_EQ(read.coil_maps, scan.coil_maps);
}

/// As many voxels over another field of view: the image would be wrong by tens of percent.
TEST(CoilInputs, MapsOfAnotherFieldOfViewAreRefused) {
    const test::TemporaryFolder folder;
    Scan scan = test::sample_scan({.coils = 5});
    scan.geometry.field_of_view_mm = {220, 220, 220};
    write_scan(scan, folder / "scan.h5");
    scan.geometry.field_of_view_mm[0] = 300;
    write_scan(scan, folder / "other.h5");
    Scan read = read_scan(folder / "scan.h5");
    CoilOptions options;
    EXPECT_NO_THROW(read_coil_inputs(read, folder / "scan.h5", "", options));
    EXPECT_THROW(read_coil_inputs(read, folder / "other.h5", "", options), InputError);
    for (int axis = 0; axis < 3; ++axis) {
        scan.geometry.field_of_view_mm[axis] = static_cast<double>(scan.geometry.matrix_size[axis]);
    }
    write_scan(scan, folder / "no_size.h5");
    EXPECT_NO_THROW(read_coil_inputs(read, folder / "no_size.h5", "", options));
    read.geometry.field_of_view_mm = {};
    EXPECT_NO_THROW(read_coil_inputs(read, folder / "other.h5", "", options));  // nothing is known to differ
}

TEST(CoilInputs, MapsOfAnotherPlaceAreWarnedOf) {
    const test::TemporaryFolder folder;
    Scan scan = test::sample_scan({.coils = 5});
    ASSERT_TRUE(scan.geometry.orientation);
    const auto warnings_of_maps_at = [&](double moved_mm) {
        Image maps;
        maps.geometry = scan.geometry;
        maps.geometry.orientation->centre_mm[0] += moved_mm;
        maps.voxels = scan.coil_maps;
        maps.frames.resize(5);
        write_nifti(folder / "maps.nii", maps);
        Log log(LogLevel::off);
        const LogBinding bound(&log);
        Scan read = scan;
        CoilOptions options;
        read_coil_inputs(read, folder / "maps.nii", "", options);
        return log.history();
    };
    using ::testing::Contains, ::testing::HasSubstr, ::testing::Not;
    EXPECT_THAT(warnings_of_maps_at(0), Not(Contains(HasSubstr("from that of the image"))));
    EXPECT_THAT(warnings_of_maps_at(100), Contains(HasSubstr("coil maps lies 100 mm from that of the image")));
}

TEST(CoilInputs, MapsOfNumbersThatHaveNoSquaresAreRefused) {
    const test::TemporaryFolder folder;
    for (const float scale : {1e-20F, 1e15F}) {
        Scan scan = test::sample_scan({.coils = 2});
        Scan other = scan;
        for (cfloat& value : other.coil_maps) {
            value *= scale;
        }
        write_scan(other, folder / "other.h5");
        CoilOptions options;
        test::expect_error<InputError>([&] { read_coil_inputs(scan, folder / "other.h5", "", options); },
                                       {"other.h5", "largest number of the coil maps", "scale them to about 1"});
    }
}

}  // namespace
}  // namespace recon
