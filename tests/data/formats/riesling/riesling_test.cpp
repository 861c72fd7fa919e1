#include <gtest/gtest.h>
#include <hdf5.h>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

/// As RIESLING's compound of the geometry, before version 1 and since.
struct OldInfo {
    std::int64_t matrix[3];
    float voxel_size[3], origin[3], direction[9], tr;
};
struct NewInfo {
    float voxel_size[3], origin[3], direction[9], tr;
};

class Riesling : public ::testing::Test {
protected:
    enum class Version { before_1, since_1 };

    /// 2 volumes of 2 slabs of 3 traces of 4 samples of 2 channels, counted.
    std::string file(Version version, bool matrix_attribute = false) const {
        const std::string path = folder_ / "scan.h5";
        H5File file = H5File::create(path);
        std::vector<cfloat> kspace;
        for (int i = 0; i < 2 * 2 * 3 * 4 * 2; ++i) {
            kspace.emplace_back(static_cast<float>(i), 1.F);
        }
        const bool old = version == Version::before_1;
        file.write(old ? "/noncartesian" : "/data", {2, 2, 3, 4, 2}, kspace);
        std::vector<double> positions;
        for (int i = 0; i < 12; ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                positions.push_back((old ? 0.5 : axis == 2 ? 4.0 : 8.0) * (i - 6) / 6);
            }
        }
        file.write("/trajectory", {3, 4, 3}, positions);
        if (matrix_attribute) {
            file.write_attribute("/trajectory", "matrix", std::vector<Index>{18, 20, 10});
        }
        write_info(file.id(), version);
        file.close();
        return path;
    }

private:
    static void write_info(hid_t file, Version version) {
        const hsize_t three[] = {3}, nine[] = {3, 3};
        const hid_t integers = H5Tarray_create2(H5T_NATIVE_INT64, 1, three);
        const hid_t floats = H5Tarray_create2(H5T_NATIVE_FLOAT, 1, three);
        const hid_t matrix = H5Tarray_create2(H5T_NATIVE_FLOAT, 2, nine);
        const bool old = version == Version::before_1;
        const hid_t type = H5Tcreate(H5T_COMPOUND, old ? sizeof(OldInfo) : sizeof(NewInfo));
        const auto insert = [&](const char* name, std::size_t before, std::size_t since, hid_t member) {
            H5Tinsert(type, name, old ? before : since, member);
        };
        if (old) {
            H5Tinsert(type, "matrix", offsetof(OldInfo, matrix), integers);
        }
        insert("voxel_size", offsetof(OldInfo, voxel_size), offsetof(NewInfo, voxel_size), floats);
        insert("origin", offsetof(OldInfo, origin), offsetof(NewInfo, origin), floats);
        insert("direction", offsetof(OldInfo, direction), offsetof(NewInfo, direction), matrix);
        insert("tr", offsetof(OldInfo, tr), offsetof(NewInfo, tr), H5T_NATIVE_FLOAT);
        const OldInfo before{{16, 16, 8}, {1, 2, 3}, {-8, -16, -12}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, 5};
        const NewInfo since{{1, 2, 3}, {-8, -16, -12}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, 5};
        const hsize_t one[] = {1};
        const hid_t space = H5Screate_simple(1, one, nullptr);
        const hid_t dataset = H5Dcreate2(file, "/info", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, old ? static_cast<const void*>(&before) : &since);
        H5Dclose(dataset);
        H5Sclose(space);
        for (const hid_t made : {type, matrix, floats, integers}) {
            H5Tclose(made);
        }
    }

    test::TemporaryFolder folder_;
};

TEST_F(Riesling, BothVersionsGiveTheSameScan) {
    for (const Version version : {Version::before_1, Version::since_1}) {
        const Scan scan = read_scan(file(version));
        EXPECT_EQ(scan.format, "RIESLING");
        EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{16, 16, 8}));
        EXPECT_EQ(scan.geometry.field_of_view_mm, (PerAxis<double>{16, 32, 24}));
        ASSERT_TRUE(scan.geometry.orientation);
        EXPECT_EQ(scan.geometry.orientation->centre_mm, (PerAxis<double>{0, 0, 0}));
        ASSERT_EQ(scan.frames.size(), 4U);
        EXPECT_EQ(scan.coil_count, 2);
        EXPECT_EQ(scan.samples_per_readout, 4);
        Frame frame = scan.frames[3];
        EXPECT_EQ(frame.label.repetition, 1);
        EXPECT_EQ(frame.label.slice, 1);
        frame.load();
        EXPECT_EQ(frame.kspace[0], cfloat(72, 1));
        EXPECT_EQ(frame.kspace[1], cfloat(74, 1));
        EXPECT_EQ(frame.kspace[12], cfloat(73, 1));
        EXPECT_EQ(frame.trajectory->k[0][0], -8);
        EXPECT_EQ(frame.trajectory->k[2][0], -4);
    }
}

TEST_F(Riesling, AMatrixThatIsSaidGoesFirst) {
    EXPECT_EQ(read_scan(file(Version::since_1, true)).geometry.matrix_size, (PerAxis<Index>{18, 20, 10}));
}

TEST_F(Riesling, ItsFilesGiveTheTrajectoryOfOthers) {
    ScanReadOptions options;
    options.trajectory_path = file(Version::since_1) + ":/trajectory";
    const Scan scan = read_scan(file(Version::since_1), options);
    EXPECT_EQ(scan.frames[0].trajectory->k[0][0], -8);
}

}  // namespace
}  // namespace recon
