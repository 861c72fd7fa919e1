#include "data/reading/trajectory_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

class TrajectoryFile : public ::testing::Test {
protected:
    std::string file(const std::string& name) const { return folder_ / name; }
    std::string text(const std::string& name, const std::string& contents) const {
        std::ofstream(file(name)) << contents;
        return file(name);
    }
    test::TemporaryFolder folder_;
};

TEST_F(TrajectoryFile, TextHasAPositionALine) {
    const StoredTrajectory read = read_trajectory(text("t.csv", "# kx, ky\n1, -2.5\n\n3;4e-1 # last\n"));
    ASSERT_EQ(read.frames.size(), 1U);
    EXPECT_EQ(read.frames[0]->k[0], (std::vector<double>{1, 3}));
    EXPECT_EQ(read.frames[0]->k[1], (std::vector<double>{-2.5, 0.4}));
    EXPECT_EQ(read.frames[0]->k[2], (std::vector<double>{0, 0}));
    expect_error<InputError>([&] { read_trajectory(text("t.txt", "1 2\n3 4 5\n")); }, {"line 2", "3 numbers"});
    expect_error<InputError>([&] { read_trajectory(text("t.txt", "1 2\n3 x\n")); }, {"t.txt"});
    expect_error<InputError>([&] { read_trajectory(text("t.txt", "kx ky\r\n3 4\r\n")); },
                             {"t.txt: line 1 is \"kx ky\"", "put # before a line of names"});
    expect_error<InputError>([&] { read_trajectory(text("t.txt", "some text\nof words\n")); }, {"a NumPy array"});
}

TEST_F(TrajectoryFile, TextOfSpreadsheetsHasAMark) {
    const StoredTrajectory read = read_trajectory(text("t.csv",
                                                       "\xef\xbb\xbf"
                                                       "1,2\r\n3,4\r\n"));
    EXPECT_EQ(read.frames[0]->k[0], (std::vector<double>{1, 3}));
    EXPECT_EQ(read.frames[0]->k[1], (std::vector<double>{2, 4}));
}

TEST_F(TrajectoryFile, AnyArrayOfAnHdf5FileWithItsUnit) {
    {
        H5File out = H5File::create(file("t.h5"));
        out.write("/a/positions", {2, 3, 2}, std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
        out.write_attribute("/a/positions", "unit", "1/m");
        out.write("/trajectory", {2, 2}, std::vector<double>{0, 1, 2, 3});
        out.close();
    }
    const StoredTrajectory read = read_trajectory(file("t.h5") + ":/a/positions");
    EXPECT_EQ(read.unit, TrajectoryUnit::cycles_per_metre);
    EXPECT_EQ(read.samples_per_readout, 3);
    EXPECT_EQ(read.frames[0]->k[1], (std::vector<double>{1, 3, 5, 7, 9, 11}));
    EXPECT_EQ(read_trajectory(file("t.h5")).frames[0]->sample_count(), 2);
    expect_error<InputError>([&] { read_trajectory(file("t.h5") + ":/none"); }, {"none", "/a/positions"});
}

TEST_F(TrajectoryFile, TheTrajectoryOfAnotherScan) {
    const Scan scan = test::sample_scan({.frames = 2});
    write_scan(scan, file("scan.h5"));
    write_mrd(scan, file("scan.mrd"));
    for (const char* name : {"scan.h5", "scan.mrd"}) {
        const StoredTrajectory read = read_trajectory(file(name));
        EXPECT_EQ(read.unit, TrajectoryUnit::cycles_per_fov);
        EXPECT_EQ(read.frames[0]->sample_count(), scan.frames[0].sample_count());
    }
}

TEST_F(TrajectoryFile, PositionsReplaceThoseOfAScan) {
    const Scan scan = test::sample_scan({.matrix = {8, 8, 1}});
    write_scan(scan, file("scan.h5"));
    std::string lines;
    for (Index s = 0; s < scan.frames[0].sample_count(); ++s) {
        lines += std::to_string(s % 9 - 4) + " " + std::to_string(s % 7 - 3) + "\n";
    }
    ScanReadOptions options;
    options.trajectory_path = text("t.txt", lines);
    const Scan read = read_scan(file("scan.h5"), options);
    EXPECT_EQ(read.frames[0].trajectory->k[0][0], -4);
    EXPECT_EQ(read.frames[0].trajectory->k[0][5], 1);
    options.trajectory_path = text("t.txt", lines + "0 0\n");
    expect_error<InputError>([&] { read_scan(file("scan.h5"), options); }, {"29 positions", "expected 28"});
}

/// Their number is right, and every sample is at another's place.
TEST_F(TrajectoryFile, ReadoutsAndSamplesMayNotBeExchanged) {
    const Scan scan = test::sample_scan({.matrix = {8, 8, 1}});  // 4 readouts of 7 samples
    write_scan(scan, file("scan.h5"));
    Scan exchanged = scan;
    exchanged.samples_per_readout = 4;
    write_scan(exchanged, file("exchanged.h5"));
    ScanReadOptions options;
    options.trajectory_path = file("exchanged.h5");
    expect_error<InputError>([&] { read_scan(file("scan.h5"), options); },
                             {"exchanged.h5", "readouts of 4", "expected 7", "exchanged"});
    options.trajectory_path = file("scan.h5");
    EXPECT_EQ(read_scan(file("scan.h5"), options).samples_per_readout, 7);
}

}  // namespace
}  // namespace recon
