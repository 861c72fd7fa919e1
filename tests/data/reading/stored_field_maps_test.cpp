// Field maps of each slice in the scan's own file.
#include "data/reading/stored_field_maps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/base/error.hpp"
#include "core/mri/off_resonance/field_maps_of_slices.hpp"
#include "data/describe_scan.hpp"
#include "data/reading/format.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

constexpr Index voxels = 6 * 5 * 3;

class StoredFieldMaps : public ::testing::TestWithParam<std::string> {
protected:
    StoredFieldMaps() {
        scan_.coil_maps.clear();
        for (const Index slice : {0, 1, 2}) {
            scan_.frames[static_cast<std::size_t>(slice)].label = {.slice = slice};
        }
        scan_.off_resonance_slices = {0, 1, 2};
        scan_.off_resonance_hz.clear();
        for (Index i = 0; i < 3 * voxels; ++i) {
            scan_.off_resonance_hz.push_back(static_cast<float>(i) - 100.5F);
        }
    }
    void write() const { formats().get(GetParam()).write_scan(scan_, path_); }
    Scan read(const std::string& selection) const {
        ScanReadOptions options;
        options.selection = selection.empty() ? FrameSelection() : FrameSelection(selection);
        return read_scan(path_, options);
    }

    Scan scan_ = test::sample_scan({.frames = 3});
    test::TemporaryFolder folder_;
    std::string path_ = folder_ / (GetParam() == "npz" ? "scan.npz" : "scan.h5");
};

TEST_P(StoredFieldMaps, AreThoseOfTheFramesThatAreRead) {
    write();
    for (const char* const selection : {"slice=0-2", "slice=2", "slice=1-2"}) {
        const Scan found = read(selection);
        EXPECT_EQ(found.off_resonance_slices, slices_of(found));
        for (const Frame& frame : found.frames) {
            const Index slice = frame.label.slice;
            EXPECT_TRUE(std::ranges::equal(found.off_resonance(slice).off_resonance_hz,
                                           scan_.off_resonance(slice).off_resonance_hz));
        }
    }
    EXPECT_NE(describe_scan(*open_scan(path_), {}).find("of each of 3 slices, -100.5 to 168.5 Hz"), std::string::npos)
        << describe_scan(*open_scan(path_), {});
}

/// Frames that nobody labelled may well be the slices, and which is which nobody knows.
TEST_P(StoredFieldMaps, OfFramesThatAreNoSlicesAreRefused) {
    for (Index i = 0; i < 3; ++i) {
        scan_.frames[static_cast<std::size_t>(i)].label = {.repetition = i};
    }
    write();
    test::expect_error<InputError>([&] { read(""); }, {"of 3 slices", "expected one map", "slice 0"});
}

TEST_P(StoredFieldMaps, ThatDoNotFitAreRefused) {
    scan_.off_resonance_slices = {0, 1};
    scan_.off_resonance_hz.resize(2 * voxels);
    write();
    test::expect_error<InputError>([&] { read(""); }, {"field maps of 2 slices", "slice 2"});
    EXPECT_EQ(read("slice=0-1").off_resonance_hz, scan_.off_resonance_hz);
    scan_.off_resonance_hz[voxels + 1] = std::numeric_limits<float>::infinity();
    write();
    test::expect_error<InputError>([&] { read("slice=0-1"); },
                                   {"field map of slice 1", "not finite", "voxel x 1, y 0, z 0"});
    scan_.off_resonance_slices = {0, 2};
    test::expect_error<ShapeError>([&] { write(); }, {"slices [0, 2]", "counted from 0"});
    scan_.off_resonance_slices = {0, 1, 2};
    test::expect_error<ShapeError>([&] { write(); }, {"180 values", "6 x 5 x 3"});
}

/// Another image has another grid, and each map is carried to it.
TEST_P(StoredFieldMaps, AreCarriedToAnotherMatrix) {
    for (float& value : scan_.off_resonance_hz) {
        value = 10;
    }
    std::fill(scan_.off_resonance_hz.begin() + voxels, scan_.off_resonance_hz.begin() + 2 * voxels, 20.0F);
    write();
    ScanReadOptions options;
    options.matrix_size = PerAxis<Index>{12, 10, 6};
    const Scan finer = read_scan(path_, options);
    ASSERT_EQ(std::ssize(finer.off_resonance_hz), 3 * 8 * voxels);
    EXPECT_EQ(finer.off_resonance(0).off_resonance_hz[360], 10);
    EXPECT_EQ(finer.off_resonance(1).off_resonance_hz[360], 20);
}

INSTANTIATE_TEST_SUITE_P(, StoredFieldMaps, ::testing::Values("recon", "npz", "mrd"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace recon
