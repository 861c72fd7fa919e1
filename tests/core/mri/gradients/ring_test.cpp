// Delays that are known: the data are of delayed positions, the estimate sees those that were meant.
#include "core/mri/gradients/ring.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

constexpr double pi = std::numbers::pi;

/// Gaussian blobs with a weight of their own in each coil, whose transform is known: sum_b w_bc exp(-2 (pi s |k|)^2 - i
/// 2 pi k.r_b), within 0.7 of the field of view.
struct Blobs {
    std::vector<PerAxis<double>> centres;
    std::vector<double> widths;
    std::vector<std::vector<cdouble>> weights;  ///< [coil][blob]

    explicit Blobs(Index coil_count) {
        std::mt19937 random(5);
        std::uniform_real_distribution<double> place(-0.25, 0.25), width(0.02, 0.06), weight(-1, 1);
        for (int b = 0; b < 12; ++b) {
            centres.push_back({place(random), place(random), place(random)});
            widths.push_back(width(random));
        }
        for (Index c = 0; c < coil_count; ++c) {
            std::vector<cdouble> of_coil;
            for (int b = 0; b < 12; ++b) {
                of_coil.emplace_back(1 + 0.8 * weight(random), coil_count > 1 ? 0.8 * weight(random) : 0.3);
            }
            weights.push_back(of_coil);
        }
    }
    cdouble signal(std::size_t coil, const PerAxis<double>& k) const {
        cdouble sum = 0;
        for (std::size_t b = 0; b < centres.size(); ++b) {
            const double squared = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
            const double phase = k[0] * centres[b][0] + k[1] * centres[b][1] + k[2] * centres[b][2];
            sum += weights[coil][b] * std::exp(-2 * pi * pi * widths[b] * widths[b] * squared) *
                   std::polar(1.0, -2 * pi * phase);
        }
        return sum;
    }
};

Trajectory radial(Index readouts, Index samples, double step, bool in_space) {
    Trajectory trajectory;
    for (Index r = 0; r < readouts; ++r) {
        const double golden = (std::sqrt(5.0) - 1) / 2;
        const double angle = in_space ? 2 * pi * golden * static_cast<double>(r) : pi * golden * static_cast<double>(r);
        const double z = in_space ? 1 - 2 * (static_cast<double>(r) + 0.5) / static_cast<double>(readouts) : 0;
        const double in_plane = std::sqrt(1 - z * z);
        const PerAxis<double> direction{in_plane * std::cos(angle), in_plane * std::sin(angle), z};
        for (Index s = 0; s < samples; ++s) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                trajectory.k[axis].push_back(static_cast<double>(s - samples / 2) * step * direction[axis]);
            }
        }
    }
    return trajectory;
}

struct Case {
    Index coil_count = 4;
    Index readouts = 40;
    double step = 0.5;  ///< cycles per FOV
    double noise = 0;   ///< of the largest value
    GradientDelays delays;
};

DelayEstimate estimate(const Case& c) {
    constexpr Index samples = 96;
    const Trajectory meant = radial(c.readouts, samples, c.step, false);
    const auto true_positions = delayed(meant, samples, c.delays);
    const Blobs blobs(c.coil_count);
    std::mt19937 random(9);
    std::normal_distribution<double> normal;
    std::vector<cfloat> kspace;
    for (Index coil = 0; coil < c.coil_count; ++coil) {
        const double sigma = c.noise * std::abs(blobs.signal(static_cast<std::size_t>(coil), {0, 0, 0}));
        for (std::size_t s = 0; s < meant.k[0].size(); ++s) {
            const PerAxis<double> k{true_positions->k[0][s], true_positions->k[1][s], true_positions->k[2][s]};
            kspace.emplace_back(blobs.signal(static_cast<std::size_t>(coil), k) +
                                sigma * cdouble(normal(random), normal(random)));
        }
    }
    return estimate_gradient_delays(meant, kspace, c.coil_count, samples);
}

void expect_found(const Case& c, double within_samples) {
    const DelayEstimate found = estimate(c);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(found.delays.samples[axis], c.delays.samples[axis], within_samples) << found.delays.text();
        EXPECT_NEAR(found.delays.cross[axis], c.delays.cross[axis], within_samples) << found.delays.text();
    }
    EXPECT_LE(found.disagreement_after, found.disagreement_before);
}

constexpr double twentieth = 0.05;  // of a sample, what is asked for

TEST(Ring, FindsDelaysInAPlane) {
    expect_found({.delays = {{0, 0, 0}, {0, 0, 0}}}, 0.01);
    expect_found({.delays = {{0.7, -0.4, 0}, {0, 0, 0}}}, 0.01);
    expect_found({.delays = {{1.3, 2.1, 0}, {0.35, 0, 0}}}, 0.01);
    expect_found({.readouts = 7, .delays = {{0.7, -0.4, 0}, {0.1, 0, 0}}}, twentieth);
    expect_found({.readouts = 201, .step = 1, .delays = {{0.3, 0.9, 0}, {0, 0, 0}}}, twentieth);
}

TEST(Ring, FindsWhatACorrectionHasLeft) {
    constexpr Index samples = 96;
    const Trajectory meant = radial(40, samples, 0.5, false);
    const auto corrected = delayed(meant, samples, {{0.5, -0.1, 0}, {0, 0, 0}});
    const auto true_positions = delayed(meant, samples, {{0.7, -0.4, 0}, {0.1, 0, 0}});
    const Blobs blobs(3);
    std::vector<cfloat> kspace;
    for (std::size_t coil = 0; coil < 3; ++coil) {
        for (std::size_t s = 0; s < meant.k[0].size(); ++s) {
            kspace.emplace_back(blobs.signal(coil, {true_positions->k[0][s], true_positions->k[1][s], 0}));
        }
    }
    const GradientDelays left = estimate_gradient_delays(*corrected, kspace, 3, samples).delays;
    EXPECT_NEAR(left.samples[0], 0.2, 0.01) << left.text();
    EXPECT_NEAR(left.samples[1], -0.3, 0.01) << left.text();
    EXPECT_NEAR(left.cross[0], 0.1, 0.01) << left.text();
}

TEST(Ring, OneCoilAndNoiseSuffice) {
    expect_found({.coil_count = 1, .delays = {{0.7, -0.4, 0}, {0.1, 0, 0}}}, twentieth);
    expect_found({.noise = 0.02, .delays = {{0.7, -0.4, 0}, {0.1, 0, 0}}}, twentieth);
    expect_found({.coil_count = 12, .readouts = 200, .noise = 0.05, .delays = {{0.7, -0.4, 0}, {0.1, 0, 0}}},
                 twentieth);
}

TEST(Ring, RefusesWhatIsNotRadial) {
    const auto refused = [](const Trajectory& trajectory, Index samples, const std::vector<std::string>& parts) {
        const std::vector<cfloat> kspace(trajectory.k[0].size(), cfloat(1));
        test::expect_error<InputError>([&] { estimate_gradient_delays(trajectory, kspace, 1, samples); }, parts);
    };
    refused(radial(4, 8, 1, false), 8, {"at least 16 samples", "8"});
    refused(radial(4, 32, 1, false), 0, {"equal length"});
    Trajectory curved = radial(4, 32, 1, false);
    curved.k[1][40] += 0.5;
    refused(curved, 32, {"readout 1", "0.50 cycles/FOV off a straight line", "sample 8"});
    Trajectory from_centre = radial(4, 32, 1, false);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double step = from_centre.k[axis][1] - from_centre.k[axis][0];
        for (std::size_t s = 0; s < 32; ++s) {
            from_centre.k[axis][s] = step * static_cast<double>(s);
        }
    }
    refused(from_centre, 32, {"readout 0", "too near its end"});
    Trajectory one_line = radial(1, 32, 1, false);
    refused(one_line, 32, {"several directions"});
    refused(radial(9, 32, 1, true), 32, {"in a plane", "3 of the axes"});
}

}  // namespace
}  // namespace recon
