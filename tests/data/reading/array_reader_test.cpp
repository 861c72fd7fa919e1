#include "data/reading/array_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/base/error.hpp"
#include "data/describe_file.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/files/write_bytes.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/formats/npy/npy_array.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/field_map_reader.hpp"
#include "data/reading/maps_of_coils.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;
using ::testing::HasSubstr;

class ArrayReaderTest : public ::testing::Test {
protected:
    test::TemporaryFolder folder;
    std::string path = folder / "file";
    Scan scan = test::sample_scan();
    PerAxis<Index> matrix = scan.geometry.matrix_size;
};

TEST_F(ArrayReaderTest, MapsOfScansOfBothFormatsAreRead) {
    for (const auto& write : {write_scan, write_mrd}) {
        write(scan, path);
        EXPECT_EQ(read_coil_maps(path, matrix, 2).values, scan.coil_maps);
        EXPECT_EQ(read_field_map(path, matrix).values, scan.off_resonance_hz);
    }
}

/// An image of several slices has maps beside the first frame of each.
TEST_F(ArrayReaderTest, MapsOfSlicesAreRead) {
    std::vector<cfloat> both = scan.coil_maps;
    both.insert(both.end(), scan.coil_maps.rbegin(), scan.coil_maps.rend());
    H5File file = H5File::create(path);
    file.write("/coil_maps", {2, 2, 3, 5, 6}, both);
    file.close();
    EXPECT_EQ(read_coil_maps(path, matrix, 2).values, both);
    EXPECT_EQ(read_coil_maps(path, matrix, 2).slices, (std::vector<Index>{0, 1}));
    H5File image = H5File::create(path);
    image.write("/frames/slice", std::vector<Index>{3, 7, 3, 7});
    image.write("/frame_0/coil_maps", {2, 3, 5, 6}, scan.coil_maps);
    image.write("/frame_1/coil_maps", {2, 3, 5, 6}, std::vector<cfloat>(both.begin() + 180, both.end()));
    image.close();
    EXPECT_EQ(read_coil_maps(path, matrix, 2).values, both);
    EXPECT_EQ(read_coil_maps(path, matrix, 2).slices, (std::vector<Index>{3, 7}));
    EXPECT_EQ(read_coil_maps(path, matrix, 2, "/frame_0/coil_maps").slices, std::vector<Index>{});
}

TEST_F(ArrayReaderTest, ArraysOfOtherProgramsAreFoundByNameOrShape) {
    {
        H5File file = H5File::create(path);
        file.write("/other", {2, 3}, std::vector<cfloat>(6, 1));
        file.write("/group/csm", {1, 2, 3, 5, 6}, scan.coil_maps);
        file.write("/maybe", {3, 5, 6}, scan.off_resonance_hz);
    }
    EXPECT_EQ(read_coil_maps(path, matrix, 2).values, scan.coil_maps);
    EXPECT_EQ(read_coil_maps(path, matrix, 2, "group/csm").values, scan.coil_maps);
    EXPECT_EQ(read_field_map(path, matrix).values, scan.off_resonance_hz) << "the only array of this shape";
    expect_error<InputError>([&] { read_coil_maps(path, matrix, 3); }, {path, "/group/csm", "[3, 3, 5, 6]"});
    expect_error<InputError>(
        [&] {
            read_coil_maps(path, {5, 6, 3}, 2);
        },
        {"complex64 [1, 2, 3, 5, 6]", "[2, 3, 6, 5]"});
    expect_error<InputError>([&] { read_coil_maps(path, matrix, 2, "/none"); }, {"no dataset /none"});
    expect_error<InputError>([&] { read_field_map(path, {5, 5, 5}); }, {"no field map found"});
    expect_error<InputError>([&] { read_coil_maps(folder / "none", matrix, 2); }, {"no such file"});
}

TEST_F(ArrayReaderTest, MapsThatCannotBeAreRefused) {
    scan.coil_maps[7] = cfloat(0, std::nanf(""));
    write_scan(scan, path);
    expect_error<InputError>([&] { read_coil_maps(path, matrix, 2); }, {path, "1 of 180", "voxel x 1, y 1, z 0"});
    std::fill(scan.coil_maps.begin(), scan.coil_maps.end(), cfloat(0));
    write_scan(scan, path);
    expect_error<InputError>([&] { read_coil_maps(path, matrix, 2); }, {"all zero"});
}

TEST_F(ArrayReaderTest, NoiseCovariancesAreHdf5OrNumPy) {
    const std::vector<cfloat> covariance{2, {0.5F, 1}, {0.5F, -1}, 3};
    {
        H5File file = H5File::create(path);
        file.write("/noise_covariance", {2, 2}, covariance);
    }
    write_bytes(folder / "psi.npy", npy_bytes({2, 2}, std::span<const cfloat>(covariance)));
    const std::vector<cdouble> columns{2, {0.5, -1}, {0.5, 1}, 3};
    EXPECT_EQ(read_noise_covariance(path, 2), columns);
    EXPECT_EQ(read_noise_covariance(folder / "psi.npy", 2), columns);
    expect_error<InputError>([&] { read_noise_covariance(folder / "psi.npy", 3); }, {"psi.npy: is [2, 2]", "[3, 3]"});
}

TEST_F(ArrayReaderTest, AnArrayOfAFileIsDescribedAlone) {
    write_scan(scan, path);
    const std::string text = describe_file(path + ":/off_resonance_hz");
    for (const char* part : {"file:/off_resonance_hz", "6 x 5 x 3 voxels", "volumes           1"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    expect_error<InputError>([&] { describe_file(path + ":/nothing"); }, {path, "nothing"});
    expect_error<InputError>([&] { describe_file(folder / "none.h5:/image"); }, {"none.h5", "no such file"});
    std::ofstream(path) << "text";
    expect_error<InputError>([&] { describe_file(path + ":/image"); }, {path, "no image"});
}

TEST_F(ArrayReaderTest, AnyReadableFileIsDescribed) {
    write_scan(test::sample_scan({{6, 5, 3}, 2, 4, 7, 3}), path);
    std::string text = describe_file(path);
    for (const char* part :
         {"recon HDF5", "6 x 5 x 3", "240 x 200 x 33 mm", "40 x 40 x 11 mm", "contrast 0 to 2", "4 readouts of 7",
          "cycles/FOV", "1 to 1.06 ms", "40 samples a coil", "the same in all frames"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    write_mrd(scan, path);
    EXPECT_THAT(describe_file(path), HasSubstr("MRD"));
    scan.frames[0].kspace[3] = std::nanf("");
    write_scan(scan, path);
    EXPECT_THAT(describe_file(path), HasSubstr("problem"));
    {
        H5File file = H5File::create(path);
        file.write("/group/numbers", {2, 3}, std::vector<float>{1, 2, 3, -7, std::nanf(""), 0});
        file.write_attribute("/group/numbers", "unit", "mm");
    }
    text = describe_file(path);
    for (const char* part : {"group/", "numbers: float32 [2, 3]", "up to 7", "1 not finite", "@unit = mm"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    std::ofstream(path) << R"({"version": "1.2", "command": "recon a.h5", "predicted_error": 0.0475, "seconds": 3})";
    text = describe_file(path);
    for (const char* part : {"record of a run, JSON", "recon 1.2", "recon a.h5", "predicted error   4.8 %"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    std::ofstream(path) << "text";
    EXPECT_THROW(describe_file(path), InputError);
    EXPECT_THROW(describe_file(folder.path()), InputError);
}

TEST(MatrixOfCoilMaps, IsThatOfTheAxesBehindTheCoils) {
    using Extents = std::vector<Index>;
    EXPECT_EQ(matrix_of_coil_maps(Extents{8, 1, 24, 32}, 8), (PerAxis<Index>{32, 24, 1}));
    EXPECT_EQ(matrix_of_coil_maps(Extents{1, 1, 3, 8, 16, 24, 32}, 8), (PerAxis<Index>{32, 24, 16}));
    EXPECT_EQ(matrix_of_coil_maps(Extents{8, 24, 32}, 8), (PerAxis<Index>{32, 24, 1}));
    EXPECT_EQ(matrix_of_coil_maps(Extents{8, 24, 32}, 4), std::nullopt);
    EXPECT_EQ(matrix_of_coil_maps(Extents{}, 1), std::nullopt);
}

}  // namespace
}  // namespace recon
