#include "core/mri/priors/scan_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace recon {
namespace {

/// Shells of a signal that falls as |k|^-3, each with what is left over of it.
std::vector<ShellResidual> residuals(double white, double relative, double scale) {
    std::vector<ShellResidual> shells;
    for (int k = 1; k < 40; ++k) {
        const double signal = scale * 1e4 * std::pow(k, -3);
        const double scatter = 1 + 0.05 * std::cos(7.0 * k);
        shells.push_back({50.0 * k, scatter * (scale * white + relative * signal), signal});
    }
    return shells;
}

TEST(ScanNoise, WhiteAndRelativePartsAreToldApart) {
    for (const double scale : {1e-30, 1.0, 1e30}) {
        for (const double relative : {0.0, 0.1}) {
            const ScanNoise found =
                split_noise(residuals(2, relative, scale), {30 * scale, 0}, 1e-9 * scale, 1e9 * scale);
            EXPECT_NEAR(found.white / (2 * scale), 1, 0.03);
            EXPECT_NEAR(found.relative, relative, 0.02);
        }
    }
}

TEST(ScanNoise, StaysBetweenItsBounds) {
    const ScanNoise given = split_noise(residuals(2, 0, 1), {5, 0}, 5, 5);
    EXPECT_EQ(given.white, 5);
    EXPECT_EQ(given.relative, 0);
    EXPECT_GE(split_noise(residuals(2, 0.1, 1), {5, 0}, 3, 1e9).white, 3);
    const std::vector<ShellResidual> one{{10, 4, 0}};  // a shell without a signal: all of it is noise
    EXPECT_NEAR(split_noise(one, {1, 0}, 1e-9, 1e9).white, 4, 1e-4);
}

}  // namespace
}  // namespace recon
