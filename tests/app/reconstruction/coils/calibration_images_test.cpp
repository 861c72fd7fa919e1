#include "app/reconstruction/coils/calibration_images.hpp"

#include <gtest/gtest.h>

namespace recon {
namespace {

CalibrationImages images_of(const std::vector<cdouble>& values, double scale = 1) {
    CalibrationImages images;
    images.matrix = {static_cast<Index>(values.size()), 1, 1};
    images.values = values;
    images.scale = scale;
    return images;
}

/// Frames of one image, and of another each: energies add up, as those of noise do.
TEST(CalibrationImages, OfSeveralFramesAddUpAsNoiseDoes) {
    const CalibrationImages frame = images_of({{2, 0}, {0, 1}});
    const std::vector<std::size_t> counts{1, 3};
    for (const std::size_t others : counts) {
        CalibrationImages sum = frame;
        sum.add(std::vector<CalibrationImages>(others, frame));
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_NEAR(std::norm(sum.values[i]), static_cast<double>(others + 1) * std::norm(frame.values[i]), 1e-12);
        }
    }
    CalibrationImages sum = images_of({{1, 0}, {0, 0}, {0, 0}});
    sum.add({images_of({{0, 0}, {1, 0}, {0, 0}}), images_of({{0, 0}, {0, 0}, {2, 0}}, 0.5)});
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(std::abs(sum.values[i]), 1, 1e-12) << i;
    }
}

}  // namespace
}  // namespace recon
