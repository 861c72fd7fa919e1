#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "data/files/hdf5_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon::test {

class ReconHdf5Test : public ::testing::Test {
protected:
    /// A file by hand: 2 coils, 3 readouts of 4 samples on a 16 x 16 image.
    void write_minimal(H5File& file) const {
        file.write_attribute("/", "format", "recon-scan");
        file.write_attribute("/", "version", 1);
        file.write_attribute("/", "matrix_size", std::vector<Index>{16, 16});
        file.write("/kspace", {2, 3, 4}, kspace);
        file.write("/trajectory", {3, 4, 2}, positions);
    }

    test::TemporaryFolder folder;
    std::string path = folder / "scan.any";
    std::vector<cfloat> kspace = std::vector<cfloat>(24, cfloat(1, 2));
    std::vector<double> positions = std::vector<double>(24, -8);
};

}  // namespace recon::test
