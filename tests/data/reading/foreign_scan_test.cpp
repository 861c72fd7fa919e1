#include "data/reading/scan/foreign_scan.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <fstream>

#include "core/base/error.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

template <class Number>
void put(std::string& bytes, std::size_t offset, Number number) {
    bytes.replace(offset, sizeof(number), reinterpret_cast<const char*>(&number), sizeof(number));
}

/// As VD and later write it: a table with one measurement.
std::string siemens_of_several(std::uint64_t begins) {
    std::string bytes(12000, '\0');
    put<std::uint32_t>(bytes, 4, 1);
    put<std::uint64_t>(bytes, 16, begins);
    return bytes;
}

/// As VB writes it: the protocol at once.
std::string siemens_of_one(const std::string& protocol) {
    std::string bytes(12000, '\0');
    put<std::uint32_t>(bytes, 0, 8192);
    put<std::uint32_t>(bytes, 4, 6);
    bytes.replace(8, protocol.size(), protocol);
    return bytes;
}

std::string advice_on(const std::string& bytes) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path() + "/meas.dat";
    std::ofstream(path, std::ios::binary) << bytes;
    return advice_on_foreign_scan(path);
}

TEST(ForeignScan, SiemensRawDataIsToldWithWhatConvertsIt) {
    for (const std::string& bytes : {siemens_of_several(10240), siemens_of_one("Config <XProtocol>")}) {
        EXPECT_THAT(advice_on(bytes), StartsWith("Siemens raw data"));
        EXPECT_THAT(advice_on(bytes), HasSubstr("siemens_to_ismrmrd"));
    }
}

TEST(ForeignScan, OtherFilesAreNotTakenForIt) {
    EXPECT_THAT(advice_on(siemens_of_several(0)), IsEmpty());
    EXPECT_THAT(advice_on(siemens_of_several(1 << 20)), IsEmpty()) << "begins behind the end of the file";
    EXPECT_THAT(advice_on(siemens_of_one("nothing")), IsEmpty());
    EXPECT_THAT(advice_on(""), IsEmpty());
    EXPECT_THAT(advice_on(std::string(20000, 'x')), IsEmpty());
    EXPECT_THAT(advice_on_foreign_scan("/"), IsEmpty());
}

TEST(ForeignScan, DicomIsAnImageAlready) {
    EXPECT_THAT(advice_on(std::string(128, '\0') + "DICM"), StartsWith("DICOM: an image"));
}

TEST(ForeignScan, ReadingOneSaysSo) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path() + "/meas.dat";
    std::ofstream(path, std::ios::binary) << siemens_of_several(10240);
    try {
        open_scan(path);
        FAIL() << "nothing was thrown";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("meas.dat: is Siemens raw data"));
    }
}

}  // namespace
}  // namespace recon
