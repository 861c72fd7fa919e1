// A file with coil maps of each slice: every slice is reconstructed as it would be alone with its own.
#include <gtest/gtest.h>

#include <random>

#include "app/reconstruction/coils/coil_inputs.hpp"
#include "app/reconstruction/reconstruction.hpp"
#include "core/base/error.hpp"
#include "core/mri/check/scan_fix.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class MapsOfSlices : public test::EveryBackend {
protected:
    static constexpr Index coil_count = 4;
    const std::vector<Index> slices{0, 2};

    MapsOfSlices() {
        scan_.coil_maps.clear();
        for (std::size_t i = 0; i < slices.size(); ++i) {
            scan_.frames[i].label = {.slice = slices[i]};
        }
        const auto [nx, ny, nz] = scan_.geometry.matrix_size;
        of_slice_ = nx * ny * nz * coil_count;
        std::mt19937 random(5);
        std::uniform_real_distribution<float> uniform(-1, 1);
        for (Index i = 0; i < 3 * of_slice_; ++i) {
            maps_.emplace_back(uniform(random), uniform(random));
        }
        H5File file = H5File::create(path_);
        file.write("/coil_maps", {3, coil_count, nz, ny, nx}, maps_);
        file.close();
    }
    std::vector<cfloat> maps_of(Index slice) const {
        return {maps_.begin() + slice * of_slice_, maps_.begin() + (slice + 1) * of_slice_};
    }
    std::vector<FrameResult> images(Scan scan, const CoilOptions& coils) {
        ReconstructOptions options;
        options.cg = {.iterations = 4, .stop = 0};
        options.measure_accuracy = false;
        options.coils = coils;
        RunControl control;
        return reconstruct(scan, *backend_, options, control);
    }

    Scan scan_ = test::sample_scan({.coils = coil_count, .readouts = 9, .samples = 11, .frames = 2});
    test::TemporaryFolder folder_;
    std::string path_ = folder_ / "maps.h5";
    Index of_slice_ = 0;
    std::vector<cfloat> maps_;
};

TEST_P(MapsOfSlices, EachSliceIsAsItWouldBeAlone) {
    CoilOptions plain, compressed, left_out;
    compressed.compression.coil_count = 2;
    left_out.left_out = {1};
    for (const CoilOptions& options : {plain, compressed, left_out}) {
        Scan together = scan_;
        CoilOptions read;
        read_coil_inputs(together, path_, "", read);
        const std::vector<FrameResult> results = images(together, options);
        ASSERT_EQ(results.size(), slices.size());
        for (std::size_t i = 0; i < slices.size(); ++i) {
            Scan alone = scan_;
            if (options.compression.coil_count == 0) {  // else the coils are those of all slices
                alone.frames = {scan_.frames[i]};
            }
            alone.coil_maps = maps_of(slices[i]);
            const std::vector<FrameResult> expected = images(alone, options);
            EXPECT_EQ(results[i].image, expected[expected.size() == 1 ? 0 : i].image) << "slice " << slices[i];
        }
    }
}

TEST_P(MapsOfSlices, FixesAreOfAllMaps) {
    Scan together = scan_, alone = scan_;
    CoilOptions read;
    read_coil_inputs(together, path_, "", read);
    alone.coil_maps = maps_of(2);
    const Index voxel_count = of_slice_ / coil_count;
    for (const char* text : {"maps-mirror=xz", "maps-order=2-0-3-1", "maps-conjugate"}) {
        apply(parse_scan_fixes(text).front(), together);
        apply(parse_scan_fixes(text).front(), alone);
        for (Index coil = 0; coil < coil_count; ++coil) {
            const auto first = together.coil_maps.begin() + 2 * coil * voxel_count + offset_of_coil_map(together, 2);
            EXPECT_TRUE(std::equal(first, first + voxel_count, alone.coil_maps.begin() + coil * voxel_count)) << text;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, MapsOfSlices, test::every_backend(), test::backend_name);

TEST(MapsOfSlicesFile, SlicesThatItDoesNotHaveAreRefused) {
    const test::TemporaryFolder folder;
    Scan scan = test::sample_scan({.frames = 2});
    scan.frames[1].label = {.slice = 2};
    H5File file = H5File::create(folder / "maps.h5");
    std::vector<cfloat> two = scan.coil_maps;
    two.insert(two.end(), scan.coil_maps.begin(), scan.coil_maps.end());
    file.write("/of_one", {2, 3, 5, 6}, scan.coil_maps);
    file.write("/of_two", {2, 2, 3, 5, 6}, two);
    file.close();
    CoilOptions options;
    const auto read = [&](const std::string& dataset) {
        read_coil_inputs(scan, folder / ("maps.h5:" + dataset), "", options);
    };
    test::expect_error<InputError>([&] { read("/of_one"); }, {"one set of coil maps", "several slices"});
    test::expect_error<InputError>([&] { read("/of_two"); }, {"of the slices 0, 1", "expected those of 2"});
    scan.frames.pop_back();
    EXPECT_NO_THROW(read("/of_two"));
    EXPECT_EQ(scan.coil_map_slices, std::vector<Index>{0});
}

/// They are of one place, wherever that is; who has them estimated, or takes the slice that they are of, needs no
/// others.
TEST(MapsOfSlicesFile, OneSetInTheScansOwnFileIsRefusedWhereItWouldBeUsedForSeveral) {
    const test::TemporaryFolder folder;
    Scan scan = test::sample_scan({.frames = 2});
    scan.frames[1].label = {.slice = 2};
    write_scan(scan, folder / "scan.h5");
    for (const KspaceReading kspace : {KspaceReading::on_demand, KspaceReading::in_parts}) {
        ScanReadOptions reading;
        reading.kspace = kspace;
        CoilOptions own, estimated, of_one;
        Scan read = read_scan(folder / "scan.h5", reading);
        test::expect_error<InputError>([&] { read_coil_inputs(read, "", "", own); },
                                       {"scan.h5", "one set of coil maps for several slices", "[slice, coil, z, y, x]",
                                        "`coil_maps` espirit", "`select` slice=N"});
        EXPECT_NO_THROW(read_coil_inputs(read, "espirit", "", estimated));
        reading.selection = FrameSelection("slice=2");
        Scan one = read_scan(folder / "scan.h5", reading);
        EXPECT_NO_THROW(read_coil_inputs(one, "", "", of_one));
    }
}

}  // namespace
}  // namespace recon
