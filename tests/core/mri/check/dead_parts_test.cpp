#include "core/mri/check/dead_parts.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

Scan scan_of_five() { return test::sample_scan({.coils = 5, .readouts = 6, .samples = 8, .frames = 2}); }

TEST(DeadParts, CoilsAndReadoutsOfZerosAreFoundByNumber) {
    Scan scan = scan_of_five();
    std::vector<cfloat>& kspace = scan.frames[0].kspace;
    EXPECT_TRUE(coils_of_zeros({kspace, 5}).empty());
    EXPECT_TRUE(readouts_of_zeros({kspace, 5}, 8).empty());
    std::fill_n(kspace.begin() + 3 * 48, 48, cfloat(0));
    for (Index coil = 0; coil < 5; ++coil) {
        std::fill_n(kspace.begin() + coil * 48 + 2 * 8, 8, cfloat(0));
    }
    EXPECT_EQ(coils_of_zeros({kspace, 5}), std::vector<Index>{3});
    EXPECT_EQ(readouts_of_zeros({kspace, 5}, 8), std::vector<Index>{2});
    EXPECT_TRUE(readouts_of_zeros({kspace, 5}, 0).empty());  // of unequal lengths
}

TEST(DeadParts, CoilsAreDroppedFromEverythingThatHasThem) {
    const Scan whole = scan_of_five();
    Scan scan = whole;
    scan.frames[1].read_kspace = [kspace = whole.frames[1].kspace] { return kspace; };
    scan.frames[1].release();  // to be loaded, with five coils
    drop_coils(scan, {1, 4});
    EXPECT_EQ(scan.coil_count, 3);
    scan.frames[1].load();
    for (std::size_t f = 0; f < 2; ++f) {
        ASSERT_EQ(scan.frames[f].kspace.size(), 3U * 48);
        EXPECT_EQ(scan.frames[f].kspace[48], whole.frames[f].kspace[2 * 48]);
        EXPECT_EQ(scan.frames[f].kspace[2 * 48 + 5], whole.frames[f].kspace[3 * 48 + 5]);
    }
    EXPECT_EQ(scan.noise.size(), whole.noise.size() / 5 * 3);
    const std::size_t voxels = whole.coil_maps.size() / 5;
    ASSERT_EQ(scan.coil_maps.size(), 3 * voxels);
    EXPECT_EQ(scan.coil_maps[voxels], whole.coil_maps[2 * voxels]);
}

TEST(DeadParts, CoilsThatAreNotThereAndAllOfThemAreRefused) {
    Scan scan = scan_of_five();
    test::expect_error<InputError>([&] { drop_coils(scan, {2, 5}); }, {"no coil 5", "0 to 4"});
    test::expect_error<InputError>([&] { drop_coils(scan, {0, 1, 2, 3, 4}); }, {"all 5 coils"});
}

}  // namespace
}  // namespace recon
