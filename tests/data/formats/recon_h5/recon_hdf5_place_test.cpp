#include <gtest/gtest.h>

#include "data/files/hdf5_file.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

/// Directions of no length 1, such as those times the size of the voxels, and of no right angles.
TEST(ReconHdf5Place, OfImpossibleDirectionsIsNone) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "scan.h5";
    const auto place_of = [&](const std::vector<double>& centre_and_directions) {
        H5File file = H5File::create(path);
        file.write_attribute("/", "format", "recon-scan");
        file.write_attribute("/", "matrix_size", std::vector<Index>{16, 16});
        file.write("/kspace", {1, 3, 4}, std::vector<cfloat>(12, cfloat(1)));
        file.write("/trajectory", {3, 4, 2}, std::vector<double>(24, 2));
        file.write("/orientation", {4, 3}, centre_and_directions);
        file.close();
        return read_scan(path).geometry.orientation;
    };
    EXPECT_TRUE(place_of({0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0}));
    EXPECT_FALSE(place_of({0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2}));
    EXPECT_FALSE(place_of({0, 0, 0, 1, 0, 0, 0.5, 0.866, 0, 0, 0, 1}));
}

}  // namespace
}  // namespace recon
