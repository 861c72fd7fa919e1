// Maps of files where slices lie.
#include "app/reconstruction/off_resonance/placed_maps.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/mri/off_resonance/field_map.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
#include "tests/app/reconstruction/off_resonance/off_resonance_preparation_cases.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

using test::expect_error;

class PlacedMapsTest : public test::OffResonancePreparation {};

TEST_F(PlacedMapsTest, SlicesInDifferentPlacesGetTheirPartsOfAVolume) {
    const std::string volume = write_linear_map({30, 40, 50}, {400, 400, 400});
    scan.frames.push_back(scan.frames[0]);
    scan.frames[0].orientation = Orientation{};
    scan.frames[1].orientation = Orientation{{0, 0, 9}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    expect_error<InputError>([&] { prepare({.field_map = volume}); }, {"lie in different places", "of slice 0"});
    scan.frames[1].label.slice = 2;
    prepare({.field_map = volume, .r2star_map = volume});
    EXPECT_EQ(scan.off_resonance_slices, (std::vector<Index>{0, 2}));
    constexpr Index centre = 3 + 2 * 6 + 1 * 30;
    EXPECT_NEAR(scan.off_resonance(0).off_resonance_hz[centre], 500, 0.02);
    EXPECT_NEAR(scan.off_resonance(2).off_resonance_hz[centre], 500 + 3 * 9, 0.02) << "9 mm further along z";
    EXPECT_NEAR(scan.off_resonance(2).relaxation_rate_per_s[centre], 500 + 3 * 9, 0.02);
    scan.frames[1].orientation->centre_mm[2] = 900;
    const std::size_t since = log_history().size();
    prepare({.field_map = volume});
    EXPECT_TRUE(has_warned("nothing of it lies in slice 2", since));
    scan.frames.push_back(scan.frames[1]);
    scan.frames[2].label.slice = 3;
    scan.frames[0].orientation->centre_mm[2] = 950;
    scan.frames[2].orientation->centre_mm[2] = 1000;
    expect_error<InputError>([&] { prepare({.field_map = volume}); }, {"do not overlap"});
    scan = test::sample_scan();
    scan.frames[0].orientation = Orientation{};
    prepare({.field_map = volume});
    EXPECT_NEAR(scan.off_resonance_hz[centre], 500, 0.02) << "one slice, at its place";
    EXPECT_TRUE(scan.off_resonance_slices.empty());
}

/// Whatever the order and number of the volumes.
TEST_F(PlacedMapsTest, OfSeveralVolumesTheNearestIsTaken) {
    Image image;
    image.geometry = {{6, 5, 3}, {240, 200, 33}, Orientation{}};
    image.frames.clear();
    for (const double z_mm : {90.0, 0.0, 60.0, 30.0}) {
        image.frames.push_back({{.slice = std::ssize(image.frames)}, Orientation{.centre_mm = {0, 0, z_mm}}});
        image.voxels.insert(image.voxels.end(), 90, cfloat(static_cast<float>(100 + z_mm)));
    }
    write_image_hdf5(folder / "map.h5", {.image = image});
    scan.frames.push_back(scan.frames[0]);
    scan.frames[0].orientation = Orientation{.centre_mm = {0, 0, 30}};
    scan.frames[1].orientation = Orientation{.centre_mm = {0, 0, 90}};
    scan.frames[1].label.slice = 7;
    prepare({.field_map = folder / "map.h5:/image"});
    EXPECT_EQ(scan.off_resonance_slices, (std::vector<Index>{0, 7}));
    EXPECT_EQ(scan.off_resonance(0).off_resonance_hz[45], 130);
    EXPECT_EQ(scan.off_resonance(7).off_resonance_hz[45], 190);
}

class SlicesWithoutPlaces : public PlacedMapsTest {
protected:
    SlicesWithoutPlaces() {
        scan = test::sample_scan({.matrix = {6, 5, 1}, .frames = 2});
        scan.path = "scan.h5";
        scan.geometry.orientation.reset();
        scan.frames[1].label = {.slice = 2};
        scan.off_resonance_hz.clear();
        for (Index i = 0; i < 4 * 30; ++i) {
            planes.push_back(static_cast<float>(100 + i / 30));
        }
    }
    std::string write(const std::vector<Index>& extents) const {
        H5File file = H5File::create(folder / "map.h5");
        file.write("/fieldmap", extents, planes);
        return folder / "map.h5";
    }

    std::vector<float> planes;
};

TEST_F(SlicesWithoutPlaces, GetTheirOwnPlanesOrVolumes) {
    for (const std::vector<Index>& extents : {std::vector<Index>{4, 5, 6}, {4, 1, 5, 6}}) {
        prepare({.field_map = write(extents)});
        EXPECT_EQ(scan.off_resonance_slices, (std::vector<Index>{0, 2}));
        EXPECT_EQ(scan.off_resonance(0).off_resonance_hz[7], 100);
        EXPECT_EQ(scan.off_resonance(2).off_resonance_hz[7], 102);
    }
    planes.resize(30);
    const std::string one = write({5, 6});
    const std::size_t since = log_history().size();
    prepare({.field_map = "none", .r2star_map = one});
    EXPECT_TRUE(has_warned("one map for 2 slices", since));
    EXPECT_EQ(scan.off_resonance(2).relaxation_rate_per_s[7], 100) << "one for both";
    EXPECT_EQ(scan.off_resonance(2).off_resonance_hz.size(), 30U);
}

TEST_F(SlicesWithoutPlaces, AreRefusedMapsOfOthers) {
    planes.resize(60);
    expect_error<InputError>([&] { prepare({.field_map = write({2, 1, 5, 6})}); }, {"holds 2 volumes", "slice 2"});
    expect_error<InputError>(
        [&] {
            prepare({.field_map = write({2, 5, 6})});
        },
        {"6 x 5 x 2 voxels", "6 x 5 x 1 voxels"});
    scan.frames.pop_back();
    expect_error<InputError>(
        [&] {
            prepare({.field_map = write({2, 1, 5, 6})});
        },
        {"holds 2 volumes, expected one", "has no slices"});
}

TEST_F(SlicesWithoutPlaces, WithMapsOfTheirOwnUseThem) {
    scan.off_resonance_slices = {0, 2};
    scan.off_resonance_hz.assign(60, 0.0F);
    for (Index n = 0; n < 30; ++n) {
        scan.off_resonance_hz[30 + n] = n % 6 < 3 ? 8000.0F : 0.0F;  // nothing was measured in the first
    }
    EXPECT_TRUE(prepare({}, FieldMapOutside::automatic).only_if_it_fits);
    EXPECT_EQ(range_of(scan.off_resonance(0).off_resonance_hz).measured_fraction, 0);
    EXPECT_EQ(range_of(scan.off_resonance(2).off_resonance_hz).measured_fraction, 1) << "continued";
}

}  // namespace
}  // namespace recon
