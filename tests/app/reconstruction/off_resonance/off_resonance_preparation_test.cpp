#include "app/reconstruction/off_resonance/off_resonance_preparation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/reconstruction/off_resonance/own_field_map.hpp"
#include "core/base/error.hpp"
#include "core/mri/off_resonance/field_map.hpp"
#include "data/files/hdf5_file.hpp"
#include "tests/app/reconstruction/off_resonance/off_resonance_preparation_cases.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

using test::expect_error;
using ::testing::HasSubstr;

class OffResonancePreparationTest : public test::OffResonancePreparation {};

TEST_F(OffResonancePreparationTest, AMapInScannerCoordinatesLandsOnTheImagesVoxels) {
    prepare({.field_map = write_linear_map({30, 40, 50}, {400, 400, 400})});
    const auto size = scan.geometry.voxel_size_mm();
    for (Index n = 0; n < 90; ++n) {
        // The scan's axes: x along +y, y along -x of the patient; its centre at (1, 2, 3) mm.
        const double i = static_cast<double>(n % 6 - 3) * size[0], j = static_cast<double>(n / 6 % 5 - 2) * size[1],
                     k = static_cast<double>(n / 30 - 1) * size[2];
        const double expected = 500 + 1 * (1 - j) + 2 * (2 + i) + 3 * (3 + k);
        EXPECT_NEAR(scan.off_resonance_hz[n], expected, 0.02) << n;
    }
}

TEST_F(OffResonancePreparationTest, WhatIsMissingIsSaid) {
    expect_error<InputError>([&] { prepare({.field_map = "none/map.h5"}); },
                             {"scan.h5", "none/map.h5", "no such file"});
    expect_error<InputError>([&] { prepare({.field_map = "noen"}); }, {"scan.h5", "no field map 'noen'"});
    scan.off_resonance_hz.clear();
    expect_error<InputError>([&] { prepare({.field_map = "nowhere"}); },
                             {"scan.h5", "no field map 'nowhere'", "recon info"});
    scan.off_resonance_hz.assign(90, 0.0F);
    expect_error<InputError>([&] { prepare({.field_map = "off_resonance_hz"}); }, {"scan.h5", "zero everywhere"});
    scan.off_resonance_hz.assign(90, 5.0F);
    scan.frames[0].sample_times_s = std::vector<float>();
    expect_error<InputError>([&] { prepare({.field_map = "off_resonance_hz"}); },
                             {"scan.h5", "`dwell`", "`echo_time`"});
    prepare({.field_map = "off_resonance_hz", .dwell_us = 10, .echo_time_ms = 1});
    EXPECT_EQ(scan.frames[0].sample_times_s.size(), 28U);
    expect_error<UsageError>([&] { prepare({.field_map = "none", .dwell_us = 10}); }, {"`dwell`", "`field_map`"});
    EXPECT_NO_THROW(prepare({.dwell_us = 10})) << "for the scan's own map";
    scan.off_resonance_hz.clear();
    expect_error<UsageError>([&] { prepare({.dwell_us = 10}); }, {"`dwell`", "`field_map`"});
    expect_error<InputError>(
        [&] {
            prepare({.field_map = write_linear_map({4, 4, 1}, {8, 8, 2})});
        },
        {"do not overlap"});
}

/// Of something else, or at another place.
TEST_F(OffResonancePreparationTest, AMapOfASmallPartOfTheImageIsWarnedOf) {
    const std::string map = folder / "small.h5";
    const std::string warning = "is its place right?";
    std::vector<float> values(90, 3);
    const auto write = [&] {
        H5File file = H5File::create(map);
        file.write("/fieldmap", {3, 5, 6}, values);
    };
    write();
    prepare({.field_map = map});
    EXPECT_FALSE(has_warned(warning, 0));
    std::fill(values.begin() + 5, values.end(), 0.0F);
    write();
    prepare({.field_map = map});
    EXPECT_TRUE(has_warned(warning, 0));
}

TEST_F(OffResonancePreparationTest, MapsOfUnknownPlaceMustBeOnTheImagesMatrix) {
    const std::string path = folder / "map.h5";
    {
        H5File file = H5File::create(path);
        file.write("/fieldmap", {3, 5, 6}, std::vector<float>(90, 3));
    }
    prepare({.field_map = path});
    EXPECT_EQ(scan.off_resonance_hz, std::vector<float>(90, 3));
    {
        H5File file = H5File::create(path);
        file.write("/fieldmap", {3, 5, 7}, std::vector<float>(105, 3));
    }
    expect_error<InputError>([&] { prepare({.field_map = path}); },
                             {path, "7 x 5 x 3 voxels", "6 x 5 x 3 voxels", "NIfTI"});
}

TEST_F(OffResonancePreparationTest, RelaxationIsReadAndNeedsNoFieldMap) {
    const std::string path = folder / "r2.h5";
    {
        H5File file = H5File::create(path);
        file.write("/r2star", {3, 5, 6}, std::vector<float>(90, 40));
    }
    for (float& value : scan.off_resonance_hz) {
        value *= 100;
    }
    const std::vector<float> own = scan.off_resonance_hz;
    EXPECT_TRUE(prepare({.r2star_map = path}).correct);
    EXPECT_EQ(scan.relaxation_rate_per_s, std::vector<float>(90, 40));
    EXPECT_EQ(scan.off_resonance_hz, own);
    EXPECT_TRUE(prepare({.field_map = "none", .r2star_map = path}).correct);
    EXPECT_EQ(scan.off_resonance_hz, std::vector<float>(90, 0));
}

TEST_F(OffResonancePreparationTest, RimsAndUselessMapsAreWarnedOf) {
    for (std::size_t n = 0; n < 90; ++n) {
        scan.off_resonance_hz[n] = n % 6 < 3 ? 8000.0F : 0.0F;
    }
    std::size_t since = log_history().size();
    prepare({.field_map = "off_resonance_hz"});
    EXPECT_TRUE(has_warned("`field_map_outside` extrapolate", since));
    const std::vector<float> measured = scan.off_resonance_hz;
    for (const FieldMapOutside outside : {FieldMapOutside::extrapolate, FieldMapOutside::automatic}) {
        scan.off_resonance_hz = measured;
        since = log_history().size();
        prepare({.field_map = "off_resonance_hz"}, outside);
        EXPECT_FALSE(has_warned("`field_map_outside` extrapolate", since));
        EXPECT_EQ(range_of(scan.off_resonance_hz).measured_fraction, 1);
    }
    for (std::size_t n = 0; n < 90; ++n) {
        scan.off_resonance_hz[n] = measured[n] / 1000;  // a hundredth of a turn
    }
    prepare({.field_map = "off_resonance_hz"}, FieldMapOutside::automatic);
    EXPECT_LT(range_of(scan.off_resonance_hz).measured_fraction, 1) << "a jump that matters to nothing";
    for (std::size_t n = 0; n < 90; ++n) {
        scan.off_resonance_hz[n] = static_cast<float>(n) / 90;
    }
    since = log_history().size();
    prepare({.field_map = "off_resonance_hz"});
    EXPECT_TRUE(has_warned("next to nothing", since));
    scan.off_resonance_hz.assign(90, 8000.0F);  // the same everywhere, which blurs
    since = log_history().size();
    prepare({.field_map = "off_resonance_hz"});
    EXPECT_FALSE(has_warned("next to nothing", since));
}

TEST_F(OffResonancePreparationTest, RatesThatNothingHasAreWarnedOf) {
    const std::string path = folder / "r2.h5";
    for (const auto& [rate, warning] : {std::pair{0.03F, "T2* of 33.3 s: it is R2* = 1 / T2* in 1/s that is expected"},
                                        std::pair{1e7F, "until half of the samples are taken"}, std::pair{40.0F, ""}}) {
        {
            H5File file = H5File::create(path);
            file.write("/r2star", {3, 5, 6}, std::vector<float>(90, rate));
        }
        const std::size_t since = log_history().size();
        prepare({.r2star_map = path});
        EXPECT_EQ(has_warned("R2* map has no rate", since) || has_warned("R2* map decays", since), *warning != 0);
        EXPECT_TRUE(has_warned(warning, since)) << rate;
    }
}

TEST_F(OffResonancePreparationTest, SpikesAreSmoothedUnlessTheyAreToStay) {
    scan = test::sample_scan();
    scan.geometry.matrix_size = {15, 6, 1};
    scan.off_resonance_hz.assign(90, 1000.0F);
    scan.off_resonance_hz[3 * 15 + 7] = 90000;
    const Scan given = scan;
    ReconstructOptions options;  // plain least squares
    options.off_resonance.outside = FieldMapOutside::measured;
    prepare_off_resonance(scan, {.field_map = "off_resonance_hz"}, options);
    EXPECT_EQ(scan.off_resonance_hz, given.off_resonance_hz);
    options.regularisation.scan = ScanPrior::spectrum;
    options.off_resonance.smoothing = FieldMapSmoothingUse::none;
    prepare_off_resonance(scan, {.field_map = "off_resonance_hz"}, options);
    EXPECT_EQ(scan.off_resonance_hz, given.off_resonance_hz);
    const std::size_t since = log_history().size();
    prepare({.field_map = "off_resonance_hz"});
    EXPECT_EQ(scan.off_resonance_hz, std::vector<float>(90, 1000.0F));
    EXPECT_TRUE(has_warned("field map: spikes in 1.1 % of the voxels set to the median of those around them", since));
}

TEST_F(OffResonancePreparationTest, TheScansOwnMapIsUsedIfItFits) {
    OffResonanceOptions options = prepare({});
    EXPECT_FALSE(options.correct) << "100 Hz over 0.06 ms turn nothing";
    for (float& value : scan.off_resonance_hz) {
        value *= 100;
    }
    const std::vector<float> own = scan.off_resonance_hz;
    options = prepare({});
    EXPECT_TRUE(options.correct);
    EXPECT_TRUE(options.only_if_it_fits);
    EXPECT_FALSE(prepare({.field_map = "off_resonance_hz"}).only_if_it_fits) << "as it was asked for";
    EXPECT_FALSE(prepare({.field_map = "none"}).correct);
    EXPECT_EQ(scan.off_resonance_hz, own);
    leave_out_field_map(scan, options);
    EXPECT_FALSE(options.correct);
    scan.relaxation_rate_per_s.assign(90, 40);
    options.correct = true;
    leave_out_field_map(scan, options);
    EXPECT_TRUE(options.correct) << "of the decay";
    EXPECT_EQ(scan.off_resonance_hz, std::vector<float>(90, 0));
    EXPECT_FALSE(prepare({}).correct) << "zero everywhere, as if there were none";
}

TEST_F(OffResonancePreparationTest, AnOwnMapThatCannotBeUsedIsNot) {
    for (float& value : scan.off_resonance_hz) {
        value *= 100;
    }
    const Scan whole = scan;
    std::size_t since = log_history().size();
    scan.frames[0].sample_times_s = std::vector<float>();
    EXPECT_FALSE(prepare({}).correct);
    EXPECT_TRUE(has_warned("which is not used, as the times of the samples are not known; `dwell`", since));
    scan = whole;
    scan.frames.push_back(scan.frames[0]);
    scan.frames[1].label.repetition = 1;
    EXPECT_TRUE(prepare({}).correct);
    scan.frames[1].label.slice = 1;
    since = log_history().size();
    EXPECT_FALSE(prepare({}).correct);
    EXPECT_TRUE(has_warned("one field map for several slices, which is not used", since));
    EXPECT_TRUE(prepare({.field_map = "off_resonance_hz"}).correct) << "as it was asked for";
}

}  // namespace
}  // namespace recon
