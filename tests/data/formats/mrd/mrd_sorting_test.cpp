#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include <limits>

#include "core/base/error.hpp"
#include "core/base/log_binding.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/mrd_file_test.hpp"

namespace recon {
namespace {

class MrdSortingTest : public test::MrdFileTest {};

TEST_F(MrdSortingTest, AcquisitionsAreSortedByFlagsAndCounters) {
    std::vector<ISMRMRD::Acquisition> all;
    for (int i = 0; i < 12; ++i) {
        all.push_back(acquisition(i));
    }
    all[0].setFlag(ISMRMRD::ISMRMRD_ACQ_IS_NOISE_MEASUREMENT);
    all[0].sample_time_us() = 40;
    all[1].setFlag(ISMRMRD::ISMRMRD_ACQ_IS_NAVIGATION_DATA);
    all[2].setFlag(ISMRMRD::ISMRMRD_ACQ_IS_PHASECORR_DATA);
    all[3].setFlag(ISMRMRD::ISMRMRD_ACQ_IS_DUMMYSCAN_DATA);
    all[4].setFlag(ISMRMRD::ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION);
    all[5].setFlag(ISMRMRD::ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION);
    all[5].setFlag(ISMRMRD::ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION_AND_IMAGING);
    all[6].idx().average = 1;
    all[7].idx().contrast = 1;
    all[8].idx().slice = 2;
    all[8].position()[2] = 12;
    all[9].idx().repetition = 1;
    all[10].idx().set = 1;
    all[11].idx().phase = 1;
    write(all);
    const Scan scan = read_scan(path);
    ASSERT_EQ(scan.frames.size(), 6);
    EXPECT_EQ(scan.frames[0].sample_count(), 8) << "calibration that is imaging too, and an average";
    EXPECT_EQ(scan.frames[0].kspace[0], cfloat(5, 0));
    EXPECT_EQ(scan.frames[0].kspace[4], cfloat(6, 0));
    const std::vector<float> order{5, 11, 8, 10, 9, 7};  // sorted by contrast, repetition, set, slice, phase
    for (std::size_t f = 0; f < order.size(); ++f) {
        EXPECT_EQ(scan.frames[f].kspace[0].real(), order[f]);
    }
    EXPECT_FLOAT_EQ(scan.frames[5].sample_times_s[0], 5e-3F) << "the second contrast's echo time";
    ASSERT_EQ(scan.noise.size(), 8);
    EXPECT_EQ(scan.noise[4], cfloat(200, 0)) << "scaled by sqrt(40 / 10) to the image's bandwidth";

    ScanReadOptions options;
    options.selection = FrameSelection("slice=2");
    const Scan selected = read_scan(path, options);
    ASSERT_EQ(selected.frames.size(), 1);
    EXPECT_EQ(selected.frames[0].kspace[0], cfloat(8, 0));
}

TEST_F(MrdSortingTest, CalibrationMeasuredAmongTheOthersIsKspaceOfItsFrame) {
    std::vector<ISMRMRD::Acquisition> all{acquisition(0), acquisition(1), acquisition(2)};
    all[1].setFlag(ISMRMRD::ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION);
    all[2].setFlag(ISMRMRD::ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION);
    all[2].setFlag(ISMRMRD::ISMRMRD_ACQ_IS_NAVIGATION_DATA);
    const auto samples_where = [&](const char* mode) {
        header.encoding[0].parallelImaging = ISMRMRD::ParallelImaging();
        header.encoding[0].parallelImaging->calibrationMode = std::string(mode);
        write(all);
        return read_scan(path).frames[0].sample_count();
    };
    for (const char* mode : {"embedded", "interleaved"}) {
        EXPECT_EQ(samples_where(mode), 8) << mode;
    }
    for (const char* mode : {"separate", "external", "other"}) {
        EXPECT_EQ(samples_where(mode), 4) << mode << ": at another time, perhaps of another contrast";
    }
}

TEST_F(MrdSortingTest, CalibrationMeasuredApartIsForCoilMaps) {
    std::vector<ISMRMRD::Acquisition> all;
    for (int i = 0; i < 8; ++i) {
        all.push_back(acquisition(i));
        if (i >= 2) {
            all.back().setFlag(ISMRMRD::ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION);
        }
    }
    all[1].idx().slice = all[4].idx().slice = 1;
    all[3].idx().repetition = 1;  // the first is enough
    all[5].encoding_space_ref() = 1;
    all[6].idx().slice = 7;  // of which there is no image
    all[7].discard_pre() = 4;
    header.encoding.push_back(header.encoding[0]);
    write(all);
    ScanReadOptions options;
    options.out_of_band = OutOfBand::keep;  // of these small images
    Scan scan = read_scan(path, options);
    ASSERT_EQ(scan.frames.size(), 2);
    ASSERT_EQ(scan.calibration.size(), 2);
    for (std::size_t slice : {0, 1}) {
        Frame& frame = scan.calibration[slice];
        EXPECT_EQ(frame.label.slice, static_cast<Index>(slice));
        EXPECT_EQ(frame.sample_count(), 4);
        frame.load();
        EXPECT_EQ(frame.kspace[4], cfloat(slice == 0 ? 102 : 104, 0)) << "the second channel";
    }
    transform_all_kspace(scan, [](std::vector<cfloat>& kspace) { kspace[0] = 9; });
    EXPECT_EQ(scan.frames[0].kspace[0], cfloat(9));
    EXPECT_EQ(scan.calibration[1].kspace[0], cfloat(9));
    EXPECT_EQ(scan.calibration[1].read_kspace()[0], cfloat(9));

    options.field_of_view_mm = PerAxis<double>{400, 400, 5};
    const Scan larger = read_scan(path, options);
    EXPECT_EQ(larger.calibration[0].trajectory->k[0][0], 2 * scan.calibration[0].trajectory->k[0][0]);
    all[2].data(1, 1) = cfloat(0, std::numeric_limits<float>::quiet_NaN());
    write(all);
    Scan damaged = read_scan(path);
    test::expect_error<InputError>([&] { damaged.calibration[0].load(); }, {path, "calibration"});
}

TEST_F(MrdSortingTest, SlicesInDifferentPlacesKeepTheirPositions) {
    std::vector<ISMRMRD::Acquisition> all{acquisition(0), acquisition(1)};
    all[1].idx().slice = 1;
    for (std::size_t i = 0; i < 2; ++i) {
        all[i].read_dir()[0] = all[i].phase_dir()[1] = all[i].slice_dir()[2] = 1;
        all[i].position()[2] = 6 * static_cast<float>(i);
    }
    write(all);
    const Scan scan = read_scan(path);
    EXPECT_EQ(scan.frames[1].orientation->centre_mm, (PerAxis<double>{0, 0, 6}));
    EXPECT_EQ(scan.geometry.orientation->centre_mm, (PerAxis<double>{0, 0, 0}));
}

TEST_F(MrdSortingTest, ChannelsAreMatchedByTheirMasks) {
    ISMRMRD::Acquisition three = acquisition(0, 3);
    ISMRMRD::Acquisition two = acquisition(1, 2);
    for (const std::uint16_t channel : {1, 4, 70}) {
        three.setChannelActive(channel);
    }
    for (const std::uint16_t channel : {1, 70}) {
        two.setChannelActive(channel);
    }
    write({three, two});
    const Scan scan = read_scan(path);
    EXPECT_EQ(scan.coil_count, 2);
    EXPECT_EQ(scan.frames[0].kspace[8 + 0], cfloat(200, 0)) << "channel 70 is the third here";
    EXPECT_EQ(scan.frames[0].kspace[8 + 4], cfloat(101, 0)) << "and the second there";

    write({acquisition(0, 3), acquisition(1, 2)});
    test::expect_error<InputError>([&] { read_scan(path); },
                                   {path, "acquisition 1 has 2 channels", "acquisition 0 has 3"});
}

/// Also where the first acquisition has the fewest.
TEST_F(MrdSortingTest, ChannelsThatAreLeftOutAreNamed) {
    ISMRMRD::Acquisition one = acquisition(0, 1), two = acquisition(1, 2);
    one.setChannelActive(0);
    two.setChannelActive(0);
    two.setChannelActive(5);
    write({one, two});
    Log log(LogLevel::off);
    const LogBinding bound(&log);
    EXPECT_EQ(read_scan(path).coil_count, 1);
    EXPECT_THAT(log.history(), ::testing::Contains(::testing::HasSubstr("have the channels 5: left out, 1 are used")));
}

TEST_F(MrdSortingTest, TheMostUsedEncodingSpaceIsReadUnlessAnotherIsAskedFor) {
    ISMRMRD::Encoding other = header.encoding[0];
    other.encodedSpace.matrixSize = {8, 8, 1};
    header.encoding.insert(header.encoding.begin(), other);
    std::vector<ISMRMRD::Acquisition> all{acquisition(0), acquisition(1), acquisition(2)};
    all[1].encoding_space_ref() = all[2].encoding_space_ref() = 1;
    write(all);
    ScanReadOptions options;
    options.out_of_band = OutOfBand::keep;  // of this small image
    Scan scan = read_scan(path, options);
    EXPECT_EQ(scan.geometry.matrix_size[0], 16);
    EXPECT_EQ(scan.frames[0].sample_count(), 8);
    options.encoding_space = 0;
    options.trajectory_unit = TrajectoryUnit::cycles_per_fov;
    EXPECT_EQ(read_scan(path, options).geometry.matrix_size[0], 8);
    options.encoding_space = 5;
    test::expect_error<InputError>([&] { read_scan(path, options); }, {"encoding space 5", "0 to 1"});
    all[0].encoding_space_ref() = 7;
    write({all[0]});
    test::expect_error<InputError>([&] { read_scan(path); }, {"encoding space 7", "describes 2"});
}

TEST_F(MrdSortingTest, StacksTakeTheirThirdCoordinateFromTheCounter) {
    header.encoding[0].encodedSpace.matrixSize.z = 4;
    header.encoding[0].encodingLimits.kspace_encoding_step_2 = ISMRMRD::Limit(0, 3, 2);
    std::vector<ISMRMRD::Acquisition> all{acquisition(0), acquisition(0)};
    all[1].idx().kspace_encode_step_2 = 3;
    write(all);
    const Scan scan = read_scan(path);
    EXPECT_EQ(scan.frames[0].trajectory->k[2][0], -2);
    EXPECT_EQ(scan.frames[0].trajectory->k[2][4], 1);
    EXPECT_FLOAT_EQ(static_cast<float>(scan.frames[0].trajectory->k[0][4]), 8);
    std::vector<ISMRMRD::Acquisition> with_third{acquisition(0, 2, 3), acquisition(0, 2, 3)};
    with_third[1].idx().kspace_encode_step_2 = 3;
    ScanReadOptions options;
    options.trajectory_unit = TrajectoryUnit::cycles_per_fov;
    write(with_third);
    EXPECT_EQ(read_scan(path, options).frames[0].trajectory->k[2][4], 0.25) << "as it is stored";
    for (ISMRMRD::Acquisition& one : with_third) {
        for (std::uint16_t s = 0; s < 4; ++s) {
            one.traj(2, s) = 0;
        }
    }
    write(with_third);
    EXPECT_EQ(read_scan(path, options).frames[0].trajectory->k[2][4], 1) << "of zeros it is no third coordinate";
    write({acquisition(0), acquisition(1)});
    EXPECT_EQ(read_scan(path).geometry.matrix_size[2], 1) << "all in one plane: one slice";
}

/// Converters that do not know the centre leave 0.
TEST_F(MrdSortingTest, ACentreOfZeroIsNotSetWhereStepsGoBeyondTheBand) {
    header.encoding[0].encodedSpace.matrixSize.z = 4;
    header.encoding[0].encodingLimits.kspace_encoding_step_2 = ISMRMRD::Limit(0, 3, 0);
    std::vector<ISMRMRD::Acquisition> all{acquisition(0), acquisition(0)};
    for (const auto& [step, k] : {std::pair(std::uint16_t{3}, 1.0), std::pair(std::uint16_t{2}, 2.0)}) {
        all[1].idx().kspace_encode_step_2 = step;
        write(all);
        EXPECT_EQ(read_scan(path).frames[0].trajectory->k[2][4], k) << "half of k-space starts at its centre";
    }
}

TEST_F(MrdSortingTest, CartesianScansFollowFromTheirCounters) {
    header.encoding[0].encodedSpace.matrixSize = {4, 2, 1};
    ISMRMRD::Acquisition line = acquisition(0, 2, 0);
    line.center_sample() = 2;
    line.idx().kspace_encode_step_1 = 1;
    write({line});
    test::expect_error<InputError>([&] { read_scan(path); }, {"1 of 1", "no trajectory", "`trajectory`"});
    const std::string positions = folder / "positions.txt";
    std::ofstream(positions) << "-1 0\n0 0\n1 1\n2 0\n";
    ScanReadOptions with_positions;
    with_positions.trajectory_path = positions;
    with_positions.trajectory_unit = TrajectoryUnit::cycles_per_fov;
    EXPECT_EQ(read_scan(path, with_positions).frames[0].trajectory->k[0], (std::vector<double>{-1, 0, 1, 2}));
    header.encoding[0].trajectory = ISMRMRD::TrajectoryType::CARTESIAN;
    write({line});
    const Scan scan = read_scan(path);
    EXPECT_EQ(scan.frames[0].trajectory->k[0], (std::vector<double>{-2, -1, 0, 1}));
    EXPECT_EQ(scan.frames[0].trajectory->k[1], (std::vector<double>{0, 0, 0, 0}));
    line.center_sample() = 0;
    write({line});
    const Scan unset = read_scan(path);
    EXPECT_EQ(unset.frames[0].trajectory->k[0], (std::vector<double>{-2, -1, 0, 1}));
    EXPECT_EQ(unset.frames[0].sample_times_s, scan.frames[0].sample_times_s);
    header.encoding[0].encodedSpace.matrixSize = {8, 2, 1};
    write({line});
    EXPECT_EQ(read_scan(path).frames[0].trajectory->k[0], (std::vector<double>{0, 1, 2, 3})) << "half of a readout";
}

TEST_F(MrdSortingTest, DirectionsThatCannotBeAreNamed) {
    const auto warnings = [&](const ISMRMRD::Acquisition& one) {
        write({one});
        Log log(LogLevel::off);
        const LogBinding bound(&log);
        EXPECT_FALSE(read_scan(path).geometry.orientation);
        return log.history();
    };
    using ::testing::Contains, ::testing::HasSubstr, ::testing::Not;
    ISMRMRD::Acquisition one = acquisition(0);
    EXPECT_THAT(warnings(one), Not(Contains(HasSubstr("no place in the patient")))) << "never set";
    one.read_dir()[0] = one.phase_dir()[1] = 1;
    EXPECT_THAT(warnings(one), Contains(HasSubstr("slice_dir has the length 0")));
    one.slice_dir()[2] = 1;
    one.phase_dir()[0] = 0.6F, one.phase_dir()[1] = 0.8F;
    EXPECT_THAT(warnings(one), Contains(HasSubstr("read_dir and phase_dir are not at right angles")));
}

}  // namespace
}  // namespace recon
