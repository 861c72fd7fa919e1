#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/error.hpp"
#include "data/describe_file.hpp"
#include "data/formats/mrd/stream/mrd_stream.hpp"
#include "data/formats/mrd/stream/mrd_stream_images.hpp"
#include "data/formats/mrd/stream/mrd_stream_scan.hpp"
#include "data/reading/format.hpp"
#include "data/reading/image_reader.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;
using test::sample_scan;

class MrdStreamTest : public ::testing::Test {
protected:
    std::string bytes() const { return test::contents_of(path); }
    void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
    static std::string number(auto value) {
        std::string bytes(sizeof value, 0);
        std::memcpy(bytes.data(), &value, sizeof value);
        return bytes;
    }
    test::TemporaryFolder folder;
    std::string path = folder / "scan.mrdstream";
};

TEST_F(MrdStreamTest, ScansComeBack) {
    for (const Index frames : {1, 3}) {
        const Scan scan = sample_scan({{6, 5, 3}, 2, 4, 7, frames});
        write_mrd_stream(scan, path);
        const Scan read = read_scan(path);
        EXPECT_EQ(read.format, "MRD stream");
        EXPECT_EQ(read.geometry.matrix_size, scan.geometry.matrix_size);
        EXPECT_EQ(read.geometry.orientation->centre_mm, scan.geometry.orientation->centre_mm);
        EXPECT_EQ(read.noise, scan.noise);
        EXPECT_TRUE(read.coil_maps.empty()) << "arrays have no names in a stream";
        ASSERT_EQ(read.frames.size(), scan.frames.size());
        for (std::size_t f = 0; f < read.frames.size(); ++f) {
            EXPECT_EQ(read.frames[f].label, scan.frames[f].label);
            EXPECT_EQ(read.frames[f].trajectory->k, scan.frames[f].trajectory->k);
            EXPECT_EQ(read.frames[f].kspace, scan.frames[f].kspace);
        }
    }
}

TEST_F(MrdStreamTest, ImagesComeBack) {
    Image image;
    image.geometry.matrix_size = {3, 2, 1};
    image.geometry.field_of_view_mm = {30, 20, 5};
    image.frames = {ImageFrame{{0, 0, 0, 0, 0}, Orientation{{1, 2, 3}, {0, 1, 0}, {1, 0, 0}, {0, 0, -1}}},
                    ImageFrame{{2, 1, 0, 4, 0}, Orientation{{1, 2, 8}, {0, 1, 0}, {1, 0, 0}, {0, 0, -1}}}};
    for (int v = 0; v < 12; ++v) {
        image.voxels.emplace_back(static_cast<float>(v), -0.5F * static_cast<float>(v));
    }
    write_mrd_stream_images(image, path);
    const Image read = read_mrd_stream_images(path, "").image;
    EXPECT_EQ(read.geometry.matrix_size, image.geometry.matrix_size);
    EXPECT_EQ(read.geometry.field_of_view_mm, image.geometry.field_of_view_mm);
    EXPECT_EQ(read.voxels, image.voxels);
    ASSERT_EQ(read.frame_count(), 2);
    EXPECT_EQ(read.frames[1].label, image.frames[1].label);
    EXPECT_EQ(read.frames[1].orientation->centre_mm, image.frames[1].orientation->centre_mm);
    EXPECT_EQ(read.frames[1].orientation->z_direction, image.frames[1].orientation->z_direction);
    ASSERT_TRUE(read.geometry.orientation.has_value()) << "of the first";
    EXPECT_EQ(read.geometry.orientation->centre_mm, image.frames[0].orientation->centre_mm);
    EXPECT_EQ(format_of(path, &Format::read_image)->name, "mrdstream");
    expect_error<InputError>([&] { read_mrd_stream_images(path, "/image"); }, {"no dataset", "/image"});
    expect_error<InputError>([&] { read_scan(path); }, {path, "no header", "0 acquisitions"});
    EXPECT_THAT(describe_file(path, {}), ::testing::HasSubstr("image of 3 x 2 x 1 voxels"));
}

TEST_F(MrdStreamTest, OtherMessagesAreSteppedOver) {
    const Scan scan = sample_scan({{6, 5, 3}, 2, 4, 7, 1});
    write_mrd_stream(scan, path);
    const std::string config = number(std::uint16_t{1}) + "default.xml" + std::string(1024 - 11, '\0');
    const std::string text = number(std::uint16_t{5}) + number(std::uint32_t{5}) + "hello";
    const std::string array = number(std::uint16_t{1030}) + number(std::uint16_t{5}) + number(std::uint16_t{0}) +
                              number(std::uint16_t{1}) + number(std::uint64_t{2}) + std::string(8, '\0');
    std::string waveform = number(std::uint16_t{1026}) + std::string(40, '\0');
    write(config + text + bytes().substr(0, bytes().size() - 2) + array + waveform + number(std::uint16_t{4}));
    EXPECT_EQ(read_scan(path).frames[0].kspace, scan.frames[0].kspace);
}

TEST_F(MrdStreamTest, DamagedStreamsAreRefused) {
    write_mrd_stream(sample_scan({{6, 5, 3}, 2, 4, 7, 1}), path);
    const std::string whole = bytes();
    write(whole.substr(0, whole.size() - 2));
    EXPECT_EQ(read_scan(path).frames[0].sample_count(), 28) << "without its close: a warning";
    for (const std::size_t length : {whole.size() - 5, whole.size() / 2, whole.size() - 400}) {
        write(whole.substr(0, length));
        expect_error<InputError>([&] { read_scan(path); }, {path, "in the middle of a message"});
    }
    std::string unknown = whole;
    unknown[unknown.size() - 2] = 77;
    write(unknown);
    expect_error<InputError>([&] { read_scan(path); }, {path, "message 77"});
    expect_error<InputError>([&] { describe_file(path, {}); }, {path, "message 77"});
    for (std::size_t at = 0; at < std::min<std::size_t>(whole.size(), 3000); at += 7) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0x55);
        write(changed);
        try {
            read_scan(path);
        } catch (const Error&) {  // refused, not crashed
        }
    }
    write("");
    EXPECT_FALSE(MrdStream::recognises(path));
    EXPECT_FALSE(MrdStream::recognises(folder / "none"));
}

/// 2^60 numbers of 16 bytes: 64 bits count these bytes as none.
TEST_F(MrdStreamTest, ImagesLargerThanTheirFileAreRefused) {
    MrdStream::ImageHead head{};
    head.version = 1;
    head.data_type = 8;
    head.matrix_size[0] = head.matrix_size[1] = head.matrix_size[2] = head.channels = 32768;
    write(number(std::uint16_t{1022}) + std::string(reinterpret_cast<const char*>(&head), sizeof head) +
          number(std::uint64_t{0}) + std::string(100, '\0'));
    expect_error<InputError>([&] { read_mrd_stream_images(path, ""); }, {path, "in the middle of a message"});
}

}  // namespace
}  // namespace recon
