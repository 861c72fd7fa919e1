#include "core/mri/gradients/echo_delays.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace recon {
namespace {

/// K-space that falls off as a Gaussian around a place beside the centre, as that of an object with a linear phase
/// does, seen where late gradients took the samples.
TEST(EchoDelays, TellHowLateGradientsAre) {
    const GradientDelays late{{1.2, -0.9, 0.4}, {0.1, 0, -0.2}};
    const PerAxis<double> centre{0.6, -0.3, 0.2};  // cycles per FOV
    constexpr Index count = 80, length = 48;
    constexpr double step = 0.5, golden = 0.618034;
    Trajectory meant;
    std::vector<cfloat> kspace;
    for (Index r = 0; r < count; ++r) {
        const double z = 1 - 2 * (static_cast<double>(r) + 0.5) / count, in_plane = std::sqrt(1 - z * z);
        const double angle = 2 * std::numbers::pi * golden * static_cast<double>(r);
        const PerAxis<double> n{in_plane * std::cos(angle), in_plane * std::sin(angle), z};
        for (Index s = 0; s < length; ++s) {
            double square = 0;
            for (std::size_t i = 0; i < 3; ++i) {
                const double k = static_cast<double>(s - length / 2) * step * n[i];
                double shift = 0;
                for (std::size_t j = 0; j < 3; ++j) {
                    shift += step * late.at(i, j) * n[j];
                }
                meant.k[i].push_back(k);
                square += std::pow(k - shift - centre[i], 2);
            }
            kspace.emplace_back(static_cast<float>(std::exp(-square / 4)));
        }
    }
    const GradientDelays found = delays_of_echoes(straight_readouts(meant, length), kspace, 1, length);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(found.samples[i], late.samples[i], 0.05) << found.text();
        EXPECT_NEAR(found.cross[i], late.cross[i], 0.05) << found.text();
    }
}

}  // namespace
}  // namespace recon
