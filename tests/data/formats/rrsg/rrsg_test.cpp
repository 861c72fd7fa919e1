#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

class Rrsg : public ::testing::Test {
protected:
    static constexpr Index length = 4, readouts = 3, coils = 2;

    /// Sample s of readout r of coil c is 100 c + 10 r + s, at 8 s + r along x and s - 8 r along y.
    std::string file(const std::vector<Index>& of_kspace, const std::vector<Index>& of_positions,
                     double scale = 1) const {
        const std::string path = folder_ / "scan.h5";
        H5File file = H5File::create(path);
        std::vector<cfloat> kspace;
        std::vector<double> positions[3];
        for (Index s = 0; s < length; ++s) {
            for (Index r = 0; r < readouts; ++r) {
                positions[0].push_back(scale * static_cast<double>(8 * s + r));
                positions[1].push_back(scale * static_cast<double>(s - 8 * r));
                positions[2].push_back(0);
                for (Index c = 0; c < coils; ++c) {
                    kspace.emplace_back(static_cast<float>(100 * c + 10 * r + s), 1.F);
                }
            }
        }
        std::vector<double> all;
        for (Index axis = 0; axis < of_positions[0]; ++axis) {
            all.insert(all.end(), positions[axis].begin(), positions[axis].end());
        }
        file.write("/rawdata", of_kspace, kspace);
        file.write("/trajectory", of_positions, all);
        file.close();
        return path;
    }

private:
    test::TemporaryFolder folder_;
};

TEST_F(Rrsg, ReadoutsComeOneAfterTheOther) {
    for (const std::vector<Index>& of_kspace : {std::vector<Index>{1, 4, 3, 2}, std::vector<Index>{4, 3, 2}}) {
        for (const Index dimensions : {2, 3}) {
            Scan scan = read_scan(file(of_kspace, {dimensions, 4, 3}));
            ASSERT_EQ(scan.frames.size(), 1U);
            scan.frames[0].load();
            EXPECT_EQ(scan.coil_count, coils);
            EXPECT_EQ(scan.samples_per_readout, length);
            for (Index r = 0; r < readouts; ++r) {
                for (Index s = 0; s < length; ++s) {
                    const auto m = static_cast<std::size_t>(r * length + s);
                    EXPECT_EQ(scan.frames[0].trajectory->k[0][m], static_cast<double>(8 * s + r));
                    EXPECT_EQ(scan.frames[0].trajectory->k[1][m], static_cast<double>(s - 8 * r));
                    EXPECT_EQ(scan.frames[0].kspace[m], cfloat(static_cast<float>(10 * r + s), 1));
                    EXPECT_EQ(scan.frames[0].kspace[readouts * length + m],
                              cfloat(static_cast<float>(100 + 10 * r + s), 1));
                }
            }
            EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{52, 32, 1})) << "twice the farthest positions";
        }
    }
}

TEST_F(Rrsg, OtherUnitsAreToldByTheRange) {
    ScanReadOptions options;
    options.matrix_size = PerAxis<Index>{52, 52, 1};
    const Scan scan = read_scan(file({1, 4, 3, 2}, {3, 4, 3}, 1.0 / 52), options);
    EXPECT_NEAR(scan.frames[0].trajectory->k[0].back(), 26, 1e-9);
}

TEST_F(Rrsg, WhatDoesNotFitIsRefused) {
    expect_error<InputError>(
        [&] {
            read_scan(file({2, 2, 3, 2}, {3, 4, 3}));
        },
        {"/rawdata", "[2, 2, 3, 2]", "[1, sample, readout, coil]"});
    expect_error<InputError>(
        [&] {
            read_scan(file({1, 4, 3, 2}, {3, 3, 4}));
        },
        {"/trajectory", "[3, 3, 4]", "[2 or 3, 4, 3]"});
}

}  // namespace
}  // namespace recon
