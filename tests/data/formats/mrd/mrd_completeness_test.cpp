#include "data/formats/mrd/mrd_completeness.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

struct Acquisitions {
    std::vector<MrdAcquisitions::Head> heads;
    MrdSorting sorting;
    ISMRMRD::Encoding encoding;

    explicit Acquisitions(std::uint16_t count) : heads(count), sorting{}, encoding{} {
        for (std::uint16_t i = 0; i < count; ++i) {
            heads[i].trajectory_dimensions = 2;
            heads[i].idx.kspace_encode_step_1 = i;
        }
        sorting.imaging.assign(count, true);
        encoding.encodingLimits.kspace_encoding_step_1 = ISMRMRD::Limit(0, 63, 32);
    }
    MrdCompleteness found() const { return completeness_of(heads, sorting, encoding); }
};

TEST(MrdCompleteness, AWholeScanHasNothingToBeSaid) {
    EXPECT_TRUE(Acquisitions(64).found().warnings.empty());
    EXPECT_TRUE(Acquisitions(64).found().notes.empty());
    EXPECT_TRUE(Acquisitions(62).found().warnings.empty());  // undersampled: the last is left out
    EXPECT_TRUE(Acquisitions(1).found().warnings.empty());   // counters that nobody set
}

TEST(MrdCompleteness, AMissingHalfIsToldWithWhatIsThere) {
    const MrdCompleteness found = Acquisitions(32).found();
    ASSERT_EQ(found.warnings.size(), 1U);
    EXPECT_EQ(found.warnings[0],
              "kspace_encode_step_1 ends at 31, the header announces 63: a part of the scan is missing");
}

/// Slices of which only the positions differ would be added up in one image.
TEST(MrdCompleteness, PlacesThatAreOneFrameAreWarnedOf) {
    Acquisitions acquisitions(64);
    for (std::size_t i = 0; i < 64; ++i) {
        MrdAcquisitions::Head& head = acquisitions.heads[i];
        head.read_dir[0] = head.phase_dir[1] = head.slice_dir[2] = 1;
        head.position[2] = i % 2 == 0 ? 0.0F : 9.0F;
        acquisitions.sorting.frames[{}].push_back(static_cast<Index>(i));
    }
    const MrdCompleteness found = acquisitions.found();
    ASSERT_EQ(found.warnings.size(), 1U);
    EXPECT_NE(found.warnings[0].find("frame 0 lie in 2 places"), std::string::npos) << found.warnings[0];
    acquisitions.sorting.frames.clear();
    for (std::size_t i = 0; i < 64; ++i) {
        acquisitions.sorting.frames[{.slice = static_cast<Index>(i % 2)}].push_back(static_cast<Index>(i));
    }
    EXPECT_TRUE(acquisitions.found().warnings.empty());
}

TEST(MrdCompleteness, AFrameThatEndsEarlyIsToldAndSoAreMissingRepetitions) {
    Acquisitions acquisitions(64);
    for (std::size_t i = 0; i < 64; ++i) {
        const Index repetition = std::min<Index>(static_cast<Index>(i) / 25, 2);  // 25, 25 and 14 acquisitions
        acquisitions.heads[i].idx.repetition = static_cast<std::uint16_t>(repetition);
        acquisitions.sorting.frames[{.repetition = repetition}].push_back(static_cast<Index>(i));
    }
    acquisitions.encoding.encodingLimits.repetition = ISMRMRD::Limit(0, 5, 0);
    const MrdCompleteness found = acquisitions.found();
    ASSERT_EQ(found.warnings.size(), 2U);
    EXPECT_EQ(found.warnings[0], "repetition ends at 2, the header announces 5: a part of the scan is missing");
    EXPECT_NE(found.warnings[1].find("repetition 2 has 14 acquisitions where others have 25"), std::string::npos)
        << found.warnings[1];
}

TEST(MrdCompleteness, ReversedReadoutsAndAveragesAreCounted) {
    Acquisitions acquisitions(64);
    acquisitions.heads[3].flags = std::uint64_t{1} << (ISMRMRD::ISMRMRD_ACQ_IS_REVERSE - 1);
    acquisitions.heads[5].idx.average = 1;
    acquisitions.heads[6].idx.average = 2;
    const MrdCompleteness found = acquisitions.found();
    ASSERT_EQ(found.notes.size(), 2U);
    EXPECT_TRUE(found.notes[0].starts_with("flagged as reversed: 1 acquisition;"));
    EXPECT_TRUE(found.notes[1].ends_with("of their frame: 2 acquisitions"));
}

TEST(MrdHeader, MatrixSizesThatDoNotFitAreRefused) {
    for (const std::string size : {"-32", "65568", "wide", "nan"}) {
        const std::string xml = "<encodedSpace><matrixSize><x>64</x><y>" + size + "</y><z>1</z></matrixSize>";
        test::expect_error<InputError>([&] { parse_mrd_header(xml, "scan.h5"); },
                                       {"scan.h5", size + " voxels along y", "65535"});
    }
}

}  // namespace
}  // namespace recon
