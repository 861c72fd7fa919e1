// Some coils of a scan, read without the others.
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/mri/coil_parts.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

ScanReadOptions reading(KspaceReading kspace) {
    ScanReadOptions options;
    options.kspace = kspace;
    return options;
}

std::vector<cfloat> coils_of(const std::vector<cfloat>& values, Index coil_count, const Share& coils) {
    const Index length = std::ssize(values) / coil_count;
    return {values.begin() + coils.first * length, values.begin() + (coils.first + coils.count) * length};
}

TEST(CoilsByParts, AreThoseOfTheWholeInBothFormats) {
    const test::TemporaryFolder folder;
    for (const bool is_mrd : {false, true}) {
        for (const Index frames : {1, 3}) {
            const std::string path = folder / (is_mrd ? "mrd.h5" : "recon.h5");
            const Scan scan = test::sample_scan({.coils = 5, .frames = frames});
            is_mrd ? write_mrd(scan, path) : write_scan(scan, path);
            const Scan read = read_scan(path, reading(KspaceReading::in_parts));
            EXPECT_TRUE(can_be_held_in_parts(read));
            EXPECT_TRUE(read.coil_maps.empty());
            for (const Share& coils : {Share{0, 5}, {0, 2}, {2, 2}, {4, 1}}) {
                ASSERT_TRUE(read.read_coil_maps);
                EXPECT_EQ(read.read_coil_maps(coils), coils_of(scan.coil_maps, 5, coils));
                for (std::size_t frame = 0; frame < read.frames.size(); ++frame) {
                    EXPECT_TRUE(read.frames[frame].kspace.empty());
                    EXPECT_EQ(read.frames[frame].read_coils(coils), coils_of(scan.frames[frame].kspace, 5, coils));
                }
            }
        }
    }
}

TEST(CoilsByParts, HeldWholeTheyAreTheScanThatIsReadElse) {
    const test::TemporaryFolder folder;
    for (const Index frames : {1, 2}) {
        write_scan(test::sample_scan({.coils = 3, .frames = frames}), folder / "scan.h5");
        Scan read = read_scan(folder / "scan.h5", reading(KspaceReading::in_parts));
        hold_all(read);
        const Scan whole = read_scan(folder / "scan.h5", reading(KspaceReading::on_demand));
        EXPECT_EQ(read.coil_maps, whole.coil_maps);
        for (std::size_t frame = 0; frame < read.frames.size(); ++frame) {
            EXPECT_EQ(read.frames[frame].kspace, whole.frames[frame].kspace);
            EXPECT_EQ(read.frames[frame].is_on_demand(), whole.frames[frame].is_on_demand());
        }
        EXPECT_FALSE(can_be_held_in_parts(read)) << frames;
        EXPECT_FALSE(can_be_held_in_parts(whole)) << frames;
        EXPECT_FALSE(read.read_coil_maps);
    }
}

TEST(CoilsByParts, NumbersThatAreNotFiniteAreNamedByTheirCoil) {
    const test::TemporaryFolder folder;
    Scan scan = test::sample_scan({.coils = 4});
    const Index samples = scan.frames[0].sample_count();
    scan.frames[0].kspace[static_cast<std::size_t>(3 * samples + 9)] = cfloat(0, INFINITY);
    write_scan(scan, folder / "scan.h5");
    const Scan read = read_scan(folder / "scan.h5", reading(KspaceReading::in_parts));
    EXPECT_NO_THROW(read.frames[0].read_coils({0, 3}));
    test::expect_error<InputError>(
        [&] {
            read.frames[0].read_coils({2, 2});
        },
        {"coil 3, readout 1, sample 2", "not finite"});
}

}  // namespace
}  // namespace recon
