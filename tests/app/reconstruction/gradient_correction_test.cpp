// Corrected positions are those of the calibration scan, too.
#include "app/reconstruction/gradients/gradient_correction.hpp"

#include <gtest/gtest.h>

#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

TEST(GradientCorrection, IsForTheCalibrationToo) {
    Scan scan = test::sample_scan({.matrix = {8, 8, 1}, .coils = 2, .readouts = 4, .samples = 7});
    Frame like_the_image = scan.frames.front(), of_another_length = scan.frames.front();
    like_the_image.trajectory = std::make_shared<Trajectory>(*scan.frames.front().trajectory);
    Trajectory shorter = *scan.frames.front().trajectory;
    for (std::vector<double>& k : shorter.k) {
        k.resize(10);
    }
    of_another_length.trajectory = std::make_shared<Trajectory>(shorter);
    scan.calibration = {like_the_image, of_another_length};
    GradientOptions options;
    options.delays = {"0.5", "-0.25"};
    correct_gradients(scan, options);
    EXPECT_NE(scan.frames.front().trajectory->k, like_the_image.trajectory->k);
    EXPECT_EQ(scan.calibration[0].trajectory->k, scan.frames.front().trajectory->k);
    EXPECT_EQ(scan.calibration[1].trajectory->k, shorter.k);
}

}  // namespace
}  // namespace recon
