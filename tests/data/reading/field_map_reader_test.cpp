#include "data/reading/field_map_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/formats/nifti/nifti_writer.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/impatient_set.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

class FieldMapReaderTest : public ::testing::Test {
protected:
    void write_arrays(const std::vector<std::string>& names, const std::vector<float>& values) const {
        H5File file = H5File::create(path);
        for (const std::string& name : names) {
            file.write(name, {1, 5, 6}, values);
        }
    }

    test::TemporaryFolder folder;
    std::string path = folder / "map.h5";
    std::vector<float> values = [] {
        std::vector<float> v(30);
        for (std::size_t n = 0; n < v.size(); ++n) {
            v[n] = static_cast<float>(n) - 10;
        }
        return v;
    }();
    PerAxis<Index> matrix{6, 5, 1};
};

TEST_F(FieldMapReaderTest, MapsAreFoundByNameByShapeOrAsTheOnlyArray) {
    write_arrays({"/a/b"}, values);
    EXPECT_EQ(read_field_map(path, {9, 9, 9}).values, values);
    write_arrays({"/other", "/group/field_map"}, values);
    StoredMap map = read_field_map(path, matrix);
    EXPECT_EQ(map.source, path + ", dataset /group/field_map");
    EXPECT_EQ(map.geometry.matrix_size, matrix);
    {
        H5File file = H5File::create(path);
        file.write("/large", {7, 5, 6}, std::vector<float>(210, 1));
        file.write("/fits", {5, 6}, values);
    }
    EXPECT_EQ(read_field_map(path, matrix).values, values);
    EXPECT_EQ(read_field_map(path + ":/large", matrix).geometry.matrix_size, (PerAxis<Index>{6, 5, 7}));
    EXPECT_TRUE(names_a_file(path + ":/large"));
    EXPECT_TRUE(names_a_file(path));
    EXPECT_FALSE(names_a_file("fieldmap_extrapolated"));
    EXPECT_FALSE(names_a_file(""));
}

TEST_F(FieldMapReaderTest, ScansGiveTheirMaps) {
    const Scan scan = test::sample_scan();
    for (const auto& write : {write_scan, write_mrd}) {
        write(scan, path);
        EXPECT_EQ(read_field_map(path, scan.geometry.matrix_size).values, scan.off_resonance_hz);
    }
}

TEST_F(FieldMapReaderTest, NiftiMapsComeWithTheirPlace) {
    Image image;
    image.geometry = {matrix, {60, 50, 4}, Orientation{{1, 2, 3}, {0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};
    image.voxels.assign(values.begin(), values.end());
    write_nifti(folder / "map.nii.gz", image, NiftiValues::complex);
    const StoredMap map = read_field_map(folder / "map.nii.gz", matrix);
    EXPECT_EQ(map.values, values);
    ASSERT_EQ(map.orientations.size(), 1U);
    EXPECT_NEAR(map.orientations[0].centre_mm[1], 2, 1e-4);
    image.voxels[3] = {1, 1};
    write_nifti(folder / "map.nii", image, NiftiValues::complex);
    expect_error<InputError>([&] { read_field_map(folder / "map.nii", matrix); }, {"map.nii", "complex", "field map"});
}

TEST_F(FieldMapReaderTest, MapsThatCannotBeAreRefused) {
    expect_error<InputError>([&] { read_field_map(folder / "none.h5", matrix); }, {"none.h5", "no such file"});
    test::write_bytes(path, "no map");
    expect_error<InputError>([&] { read_field_map(path, matrix); }, {path, "NIfTI", "HDF5"});
    { const H5File empty = H5File::create(path); }
    expect_error<InputError>([&] { read_field_map(path, matrix); }, {path, "holds no arrays"});
    write_arrays({"/a", "/b"}, values);
    expect_error<InputError>([&] { read_field_map(path, matrix); },
                             {path, "no dataset is named off_resonance_hz", "name one of /a, /b as " + path + ":/a"});
    expect_error<InputError>([&] { read_field_map(path + ":/c", matrix); }, {path, "no dataset /c", "/a, /b"});
    write_arrays({"/fieldmap"}, std::vector<float>(30, 0.0F));
    expect_error<InputError>([&] { read_field_map(path, matrix); }, {path, "/fieldmap", "zero everywhere"});
    std::vector<float> bad = values;
    bad[7] = std::nanf("");
    write_arrays({"/fieldmap"}, bad);
    expect_error<InputError>([&] { read_field_map(path, matrix); }, {path, "1 of 30", "not finite"});
    {
        H5File file = H5File::create(path);
        file.write("/fieldmap", {2, 1, 5, 6}, std::vector<float>(60, 1));
    }
    EXPECT_EQ(read_field_map(path, matrix).volume_count, 2) << "of slices, for who knows whether there are any";
    write_arrays({"/r2star"}, values);
    expect_error<InputError>([&] { read_r2star_map(path, matrix); }, {path, "10 of 30", "negative"});
}

}  // namespace
}  // namespace recon
