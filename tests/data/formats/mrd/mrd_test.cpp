#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include "core/base/error.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/mrd_file_test.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

using test::expect_error;
using test::sample_scan;

class MrdTest : public test::MrdFileTest {};

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

    write({acquisition(0), acquisition(1)});
    append_array<cfloat>("csm", {8, 8, 2}, cfloat(0.5, 0));  // of the recon space
    EXPECT_TRUE(read_scan(path).coil_maps.empty());
    write({acquisition(0), acquisition(1)});
    append_array<cfloat>("csm", {16, 16, 2}, cfloat(0.5, 0));
    EXPECT_EQ(read_scan(path).coil_maps.size(), 512);

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
