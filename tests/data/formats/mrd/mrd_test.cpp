#include <gtest/gtest.h>
#include <ismrmrd/dataset.h>
#include <ismrmrd/xml.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <sstream>

#include "core/base/error.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;
using test::sample_scan;

/// Writes MRD files with the library itself, one acquisition at a time, whatever they say.
class MrdTest : public ::testing::Test {
protected:
    MrdTest() {
        ISMRMRD::Encoding encoding;
        encoding.encodedSpace.matrixSize = {16, 16, 1};
        encoding.encodedSpace.fieldOfView_mm = {200, 200, 5};
        encoding.reconSpace = encoding.encodedSpace;
        encoding.trajectory = ISMRMRD::TrajectoryType::RADIAL;
        header.encoding.push_back(encoding);
        header.experimentalConditions.H1resonanceFrequency_Hz = 0;
        ISMRMRD::SequenceParameters sequence;
        sequence.TE = std::vector<float>{2, 5};
        header.sequenceParameters = sequence;
    }

    /// 4 samples of 2 channels at k = 8 cos and sin of (angle + sample); channel c of acquisition i holds i + 100 c +
    /// sample i.
    ISMRMRD::Acquisition acquisition(int number, std::uint16_t channels = 2, std::uint16_t dimensions = 2) const {
        ISMRMRD::Acquisition result(4, channels, dimensions);
        result.sample_time_us() = 10;
        for (std::uint16_t s = 0; s < 4; ++s) {
            const float phase = static_cast<float>(number) + static_cast<float>(s);
            for (std::uint16_t d = 0; d < dimensions; ++d) {
                result.traj(d, s) = d == 0 ? 8 * std::cos(phase) : d == 1 ? 8 * std::sin(phase) : 0.25F;
            }
            for (std::uint16_t c = 0; c < channels; ++c) {
                result.data(s, c) = cfloat(static_cast<float>(number + 100 * c), static_cast<float>(s));
            }
        }
        return result;
    }

    void write(const std::vector<ISMRMRD::Acquisition>& acquisitions, const std::string& group = "dataset") const {
        std::filesystem::remove(path);
        ISMRMRD::Dataset dataset(path.c_str(), group.c_str(), true);
        std::ostringstream xml;
        ISMRMRD::serialize(header, xml);
        dataset.writeHeader(xml.str());
        for (const ISMRMRD::Acquisition& acquisition : acquisitions) {
            dataset.appendAcquisition(acquisition);
        }
    }

    template <class T>
    void append_array(const char* name, const std::vector<std::size_t>& extents, T value) const {
        ISMRMRD::Dataset dataset(path.c_str(), "dataset", true);
        ISMRMRD::NDArray<T> array(extents);
        std::fill(array.begin(), array.end(), value);
        dataset.appendNDArray(name, array);
    }

    test::TemporaryFolder folder;
    std::string path = folder / "scan.h5";
    ISMRMRD::IsmrmrdHeader header;
};

TEST_F(MrdTest, WhatIsWrittenIsRead) {
    for (const Index frames : {1, 3}) {
        const Scan scan = sample_scan({{6, 5, 3}, 2, 4, 7, frames});
        write_mrd(scan, path);
        const Scan read = read_scan(path);
        EXPECT_EQ(read.format, "MRD");
        EXPECT_EQ(read.geometry.matrix_size, scan.geometry.matrix_size);
        EXPECT_EQ(read.geometry.field_of_view_mm, scan.geometry.field_of_view_mm);
        EXPECT_EQ(read.geometry.orientation->centre_mm, scan.geometry.orientation->centre_mm);
        EXPECT_EQ(read.geometry.orientation->y_direction, scan.geometry.orientation->y_direction);
        EXPECT_EQ(read.coil_count, scan.coil_count);
        EXPECT_EQ(read.samples_per_readout, scan.samples_per_readout);
        EXPECT_EQ(read.coil_maps, scan.coil_maps);
        EXPECT_EQ(read.off_resonance_hz, scan.off_resonance_hz);
        EXPECT_EQ(read.noise, scan.noise);
        ASSERT_EQ(read.frames.size(), scan.frames.size());
        for (std::size_t f = 0; f < read.frames.size(); ++f) {
            EXPECT_EQ(read.frames[f].label, scan.frames[f].label);
            EXPECT_EQ(read.frames[f].trajectory, read.frames[0].trajectory) << "one trajectory is shared";
            EXPECT_EQ(read.frames[f].trajectory->k, scan.frames[f].trajectory->k);
            EXPECT_EQ(read.frames[f].kspace, scan.frames[f].kspace);
            EXPECT_EQ(read.frames[f].density_weights, scan.frames[f].density_weights);
            for (std::size_t s = 0; s < 28; ++s) {
                constexpr double rounding_s = 2e-9;  // times in ms and us as floats
                EXPECT_NEAR(read.frames[f].sample_times_s[s], scan.frames[f].sample_times_s[s], rounding_s);
            }
        }
    }
}

TEST_F(MrdTest, WhatMrdCannotHoldIsLeftOutOrRefused) {
    Scan scan = sample_scan();
    scan.frames[0].sample_times_s[9] += 1e-3F;
    write_mrd(scan, path);
    EXPECT_TRUE(read_scan(path).frames[0].sample_times_s.empty());
    scan = sample_scan();
    scan.geometry.matrix_size[0] = 70000;
    expect_error<InputError>([&] { write_mrd(scan, path); }, {path, "70000"});
    scan = sample_scan();
    scan.samples_per_readout = 0;
    scan.coil_maps.clear();
    write_mrd(scan, path);
    EXPECT_EQ(read_scan(path).frames[0].kspace, scan.frames[0].kspace);
    EXPECT_THROW(write_mrd(Scan{}, path), ShapeError);
    EXPECT_THROW(write_mrd(scan, folder / "no/such.h5"), InputError);
}

TEST_F(MrdTest, ReadingLeavesTheFileAsItIs) {
    write({acquisition(0), acquisition(1)});
    std::filesystem::permissions(path, std::filesystem::perms::owner_read);
    const auto before = std::filesystem::last_write_time(path);
    EXPECT_EQ(read_scan(path).frames[0].sample_count(), 8);
    EXPECT_EQ(std::filesystem::last_write_time(path), before);
}

TEST_F(MrdTest, SamplesTimesAndDiscardedSamplesAreInTheirPlaces) {
    ISMRMRD::Acquisition second = acquisition(1);
    second.discard_pre() = 1;
    second.discard_post() = 1;
    second.center_sample() = 2;
    second.idx().contrast = 0;
    write({acquisition(0), second}, "some/other");
    const Scan scan = read_scan(path);
    const Frame& frame = scan.frames[0];
    EXPECT_EQ(scan.samples_per_readout, 0) << "readouts of 4 and 2";
    ASSERT_EQ(frame.sample_count(), 6);
    EXPECT_EQ(frame.kspace[3], cfloat(0, 3));
    EXPECT_EQ(frame.kspace[4], cfloat(1, 1));
    EXPECT_EQ(frame.kspace[6 + 5], cfloat(101, 2));
    EXPECT_FLOAT_EQ(static_cast<float>(frame.trajectory->k[1][4]), 8 * std::sin(2.0F));
    EXPECT_FLOAT_EQ(frame.sample_times_s[3], 2e-3F + 30e-6F);
    EXPECT_FLOAT_EQ(frame.sample_times_s[4], 2e-3F - 10e-6F);
}

TEST_F(MrdTest, AcquisitionsAreSortedByFlagsAndCounters) {
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

TEST_F(MrdTest, SlicesInDifferentPlacesKeepTheirPositions) {
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

TEST_F(MrdTest, ChannelsAreMatchedByTheirMasks) {
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
    expect_error<InputError>([&] { read_scan(path); }, {path, "acquisition 1 has 2 channels", "acquisition 0 has 3"});
}

TEST_F(MrdTest, TheMostUsedEncodingSpaceIsReadUnlessAnotherIsAskedFor) {
    ISMRMRD::Encoding other = header.encoding[0];
    other.encodedSpace.matrixSize = {8, 8, 1};
    header.encoding.insert(header.encoding.begin(), other);
    std::vector<ISMRMRD::Acquisition> all{acquisition(0), acquisition(1), acquisition(2)};
    all[1].encoding_space_ref() = all[2].encoding_space_ref() = 1;
    write(all);
    Scan scan = read_scan(path);
    EXPECT_EQ(scan.geometry.matrix_size[0], 16);
    EXPECT_EQ(scan.frames[0].sample_count(), 8);
    ScanReadOptions options;
    options.encoding_space = 0;
    options.trajectory_unit = TrajectoryUnit::cycles_per_fov;
    EXPECT_EQ(read_scan(path, options).geometry.matrix_size[0], 8);
    options.encoding_space = 5;
    expect_error<InputError>([&] { read_scan(path, options); }, {"encoding space 5", "0 to 1"});
    all[0].encoding_space_ref() = 7;
    write({all[0]});
    expect_error<InputError>([&] { read_scan(path); }, {"encoding space 7", "describes 2"});
}

TEST_F(MrdTest, StacksTakeTheirThirdCoordinateFromTheCounter) {
    header.encoding[0].encodedSpace.matrixSize.z = 4;
    header.encoding[0].encodingLimits.kspace_encoding_step_2 = ISMRMRD::Limit(0, 3, 2);
    std::vector<ISMRMRD::Acquisition> all{acquisition(0), acquisition(0)};
    all[1].idx().kspace_encode_step_2 = 3;
    write(all);
    const Scan scan = read_scan(path);
    EXPECT_EQ(scan.frames[0].trajectory->k[2][0], -2);
    EXPECT_EQ(scan.frames[0].trajectory->k[2][4], 1);
    EXPECT_FLOAT_EQ(static_cast<float>(scan.frames[0].trajectory->k[0][4]), 8);
    write({acquisition(0), acquisition(1)});
    EXPECT_EQ(read_scan(path).geometry.matrix_size[2], 1) << "all in one plane: one slice";
}

TEST_F(MrdTest, CartesianScansFollowFromTheirCounters) {
    header.encoding[0].encodedSpace.matrixSize = {4, 2, 1};
    ISMRMRD::Acquisition line = acquisition(0, 2, 0);
    line.center_sample() = 2;
    line.idx().kspace_encode_step_1 = 1;
    write({line});
    expect_error<InputError>([&] { read_scan(path); }, {"1 of 1", "no trajectory"});
    header.encoding[0].trajectory = ISMRMRD::TrajectoryType::CARTESIAN;
    write({line});
    const Scan scan = read_scan(path);
    EXPECT_EQ(scan.frames[0].trajectory->k[0], (std::vector<double>{-2, -1, 0, 1}));
    EXPECT_EQ(scan.frames[0].trajectory->k[1], (std::vector<double>{0, 0, 0, 0}));
}

TEST_F(MrdTest, UnitsAreTakenFromTheHeader) {
    ISMRMRD::UserParameters user;
    user.userParameterString.push_back({"trajectory_unit", "1/m"});
    header.userParameters = user;
    write({acquisition(0)});
    EXPECT_FLOAT_EQ(static_cast<float>(read_scan(path).frames[0].trajectory->k[0][0]), 1.6F);
    header.userParameters->userParameterString[0].value = "furlongs";
    write({acquisition(0)});
    EXPECT_FLOAT_EQ(static_cast<float>(read_scan(path).frames[0].trajectory->k[0][0]), 8) << "by the range";
}

TEST_F(MrdTest, ArraysAreFoundByName) {
    write({acquisition(0), acquisition(1)});
    append_array<cfloat>("coil_maps", {16, 16, 2}, cfloat(0.5, 0));
    append_array<float>("fieldmap", {16, 16}, 20);
    append_array<float>("fieldmap_extrapolated", {16, 16}, 30);
    append_array<float>("density_weights", {4, 2}, 7);
    Scan scan = read_scan(path);
    EXPECT_EQ(scan.coil_maps.size(), 512);
    EXPECT_EQ(scan.off_resonance_hz.at(0), 30) << "the extrapolated map is preferred";
    EXPECT_EQ(scan.frames[0].density_weights, std::vector<float>(8, 7));
    ScanReadOptions options;
    options.field_map_name = "fieldmap";
    EXPECT_EQ(read_scan(path, options).off_resonance_hz.at(0), 20);
    options.field_map_name = "none";
    expect_error<InputError>([&] { read_scan(path, options); }, {"no field map named none"});

    const auto expect_refusal = [&](const std::function<void()>& append, const std::vector<std::string>& parts) {
        write({acquisition(0), acquisition(1)});
        append();
        expect_error<InputError>([&] { read_scan(path); }, parts);
    };
    expect_refusal([&] { append_array<cfloat>("coil_maps", {16, 16, 3}, 1); }, {"coil_maps", "2 coils, 1, 16, 16"});
    expect_refusal([&] { append_array<float>("fieldmap", {16, 15}, 1); }, {"fieldmap", "[1, 16, 16]"});
    expect_refusal([&] { append_array<float>("density_weights", {4, 3}, 1); }, {"density_weights", "8 samples"});
    expect_refusal(
        [&] {
            append_array<float>("density_weights", {4, 2}, -1);
        },
        {"8 of 8 density weights are negative"});
    expect_refusal([&] { append_array<float>("fieldmap", {16, 16}, std::nanf("")); }, {"256 of 256", "field map"});
}

TEST_F(MrdTest, BadContentsAreRefused) {
    ISMRMRD::Acquisition bad = acquisition(3);
    bad.data(2, 1) = cfloat(0, std::numeric_limits<float>::infinity());
    write({acquisition(0), bad});
    expect_error<InputError>([&] { read_scan(path); }, {path, "1 of 16", "coil 1, readout 1, sample 2"});
    bad = acquisition(0);
    bad.traj(1, 3) = std::nanf("");
    write({bad});
    expect_error<InputError>([&] { read_scan(path); }, {"trajectory", "readout 0, sample 3"});
    bad = acquisition(0);
    bad.setFlag(ISMRMRD::ISMRMRD_ACQ_IS_NAVIGATION_DATA);
    write({bad});
    expect_error<InputError>([&] { read_scan(path); }, {"none of the 1 acquisitions is for imaging"});
    header.encoding[0].encodedSpace.matrixSize.x = 0;
    write({acquisition(0)});
    expect_error<InputError>([&] { read_scan(path); }, {"matrix size is 0 x 16 x 1"});
    {
        std::filesystem::remove(path);
        ISMRMRD::Dataset dataset(path.c_str(), "dataset", true);
        dataset.writeHeader("<ismrmrdHeader>nonsense");
        dataset.appendAcquisition(acquisition(0));
    }
    expect_error<InputError>([&] { read_scan(path); }, {path, "header cannot be understood"});
}

TEST_F(MrdTest, TruncatedFilesAreRefusedAtAnyLength) {
    write({acquisition(0), acquisition(1)});
    const auto size = static_cast<double>(std::filesystem::file_size(path));
    for (const double part : {0.0, 0.05, 0.5, 0.9, 0.999}) {
        const std::string cut = folder / "cut.h5";
        std::filesystem::copy_file(path, cut, std::filesystem::copy_options::overwrite_existing);
        std::filesystem::resize_file(cut, static_cast<std::uintmax_t>(part * size));
        EXPECT_THROW(read_scan(cut), InputError) << part;
    }
}

}  // namespace
}  // namespace recon
