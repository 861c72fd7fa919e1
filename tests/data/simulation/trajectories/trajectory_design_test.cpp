#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <random>

#include "core/base/error.hpp"
#include "data/simulation/trajectories/gyromagnetic_ratios.hpp"
#include "data/simulation/trajectories/trajectory_design.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {

struct DesignCase {
    std::string kind;
    PerAxis<Index> matrix_size;
    PerAxis<double> field_of_view_mm{220, 220, 220};
    double undersampling = 1;
    double density_power = 1;
    std::string nucleus = "1H";
    Index samples_per_readout = 0;
};

void PrintTo(const DesignCase& c, std::ostream* out) {
    *out << c.kind << " " << c.matrix_size[0] << "x" << c.matrix_size[1] << "x" << c.matrix_size[2] << " R "
         << c.undersampling << " power " << c.density_power << " " << c.nucleus << " samples " << c.samples_per_readout;
}

namespace {

TrajectoryRequest request_for(const DesignCase& c) {
    TrajectoryRequest request;
    request.matrix_size = c.matrix_size;
    request.field_of_view_mm = c.field_of_view_mm;
    request.undersampling = c.undersampling;
    request.density_power = c.density_power;
    request.limits.gyromagnetic_ratio_hz_per_t = gyromagnetic_ratio_hz_per_t(c.nucleus);
    if (c.samples_per_readout > 0) {
        request.samples_per_readout = c.samples_per_readout;
    }
    return request;
}

class FullySampledDesign : public ::testing::TestWithParam<DesignCase> {};
class EveryDesign : public ::testing::TestWithParam<DesignCase> {};

TEST_P(EveryDesign, StaysInTheBandWithConsistentCounts) {
    const DesignedTrajectory design = design_trajectory(GetParam().kind, request_for(GetParam()));
    const Index count = design.trajectory.sample_count();
    ASSERT_GT(count, 0);
    EXPECT_EQ(count, design.readout_count * design.samples_per_readout);
    EXPECT_EQ(count, static_cast<Index>(design.sample_times_s.size()));
    if (GetParam().samples_per_readout > 0) {
        EXPECT_EQ(design.samples_per_readout, GetParam().samples_per_readout);
    }
    for (int axis = 0; axis < 3; ++axis) {
        const Index n = GetParam().matrix_size[axis];
        const double half = n > 1 ? static_cast<double>(n) / 2 : 0;
        double largest = 0;
        for (const double k : design.trajectory.k[axis]) {
            ASSERT_GE(k, -half);
            ASSERT_TRUE(n == 1 || k < half) << k;
            largest = std::max(largest, std::abs(k));
        }
        EXPECT_GE(largest, half - 1) << "the edge of k-space is reached along axis " << axis;
    }
}

/// First and second differences over one dwell time, in T/m and T/m/s, within each readout.
TEST_P(EveryDesign, MeetsGradientAndSlewLimits) {
    constexpr double amplitude_slack = 1 + 1e-6;  // mean over an interval of what is limited at each instant: rounding
    constexpr double slew_slack = 1.0;            // the design leaves a margin of 3 percent itself
    const TrajectoryRequest request = request_for(GetParam());
    const DesignedTrajectory design = design_trajectory(GetParam().kind, request);
    const double gamma = request.limits.gyromagnetic_ratio_hz_per_t;
    const double dwell = design.dwell_time_s;
    double strongest = 0;
    double steepest = 0;
    const auto k_per_m = [&](int axis, Index i) {
        return design.trajectory.k[axis][i] / (request.field_of_view_mm[axis] * 1e-3);
    };
    for (Index i = 1; i < design.trajectory.sample_count(); ++i) {
        const Index j = i % design.samples_per_readout;
        if (j == 0) {
            continue;
        }
        EXPECT_NEAR(design.sample_times_s[i] - design.sample_times_s[i - 1], dwell, 1e-8);
        PerAxis<double> g{};
        PerAxis<double> s{};
        for (int axis = 0; axis < 3; ++axis) {
            g[axis] = (k_per_m(axis, i) - k_per_m(axis, i - 1)) / (gamma * dwell);
            if (j > 1) {
                s[axis] =
                    (k_per_m(axis, i) - 2 * k_per_m(axis, i - 1) + k_per_m(axis, i - 2)) / (gamma * dwell * dwell);
            }
        }
        strongest = std::max(strongest, std::hypot(g[0], g[1], g[2]));
        steepest = std::max(steepest, std::hypot(s[0], s[1], s[2]));
    }
    EXPECT_LE(strongest, request.limits.amplitude_t_per_m * amplitude_slack);
    EXPECT_LE(steepest, request.limits.slew_rate_t_per_m_s * slew_slack);
}

/// No point of the ellipsoid that the band encloses is farther from a sample than the design's spacing allows.
TEST_P(FullySampledDesign, CoversKSpaceAtTheNyquistDensity) {
    // Half a cell's diagonal with one cycle across readouts and half a cycle along them is 0.56 in 2-D and 0.75 in 3-D;
    // golden-angle and spiral-lattice directions are uneven: neighbours up to 1.6 times as far apart.
    constexpr double farthest_allowed = 0.95;
    const DesignedTrajectory design = design_trajectory(GetParam().kind, request_for(GetParam()));
    std::mt19937 generator(17);
    std::uniform_real_distribution<double> uniform(-1, 1);
    double farthest = 0;
    for (int trial = 0; trial < 150; ++trial) {
        PerAxis<double> unit{};
        do {
            for (double& u : unit) {
                u = uniform(generator);
            }
        } while (std::hypot(unit[0], unit[1], unit[2]) > 1);
        double nearest = 1e9;
        for (Index i = 0; i < design.trajectory.sample_count(); ++i) {
            double squared = 0;
            for (int axis = 0; axis < 3; ++axis) {
                const Index n = GetParam().matrix_size[axis];
                const double k = n > 1 ? unit[axis] * static_cast<double>(n) / 2 : 0;
                squared += (k - design.trajectory.k[axis][i]) * (k - design.trajectory.k[axis][i]);
            }
            nearest = std::min(nearest, squared);
        }
        farthest = std::max(farthest, std::sqrt(nearest));
    }
    EXPECT_LT(farthest, farthest_allowed);
}

/// The centre is read at the echo time; readouts that start there start at rest.
TEST_P(EveryDesign, ReadsTheCentreAtTheEchoTime) {
    TrajectoryRequest request = request_for(GetParam());
    request.echo_time_s = 0.05;
    const DesignedTrajectory design = design_trajectory(GetParam().kind, request);
    double nearest = 1e9;
    double time = 0;
    for (Index i = 0; i < design.trajectory.sample_count(); ++i) {
        const double distance =
            std::hypot(design.trajectory.k[0][i], design.trajectory.k[1][i], design.trajectory.k[2][i]);
        if (distance < nearest) {
            nearest = distance;
            time = design.sample_times_s[i];
        }
    }
    EXPECT_LT(nearest, 1e-9);
    EXPECT_NEAR(time, 0.05, 1e-8);
}

const std::vector<DesignCase>& fully_sampled() {
    static const std::vector<DesignCase> cases{
        {"cartesian", {13, 1, 1}},
        {"cartesian", {8, 7, 5}},
        {"cartesian", {1, 8, 7}},
        {"radial", {24, 24, 1}},
        {"radial", {17, 24, 1}, {200, 300, 5}},
        {"radial", {1, 16, 16}},
        {"golden-radial", {24, 24, 1}},
        {"radial", {12, 12, 12}},
        {"radial", {12, 9, 15}, {220, 200, 300}},
        {"radial-centre-out", {12, 12, 12}},
        {"spiral", {32, 32, 1}},
        {"spiral", {48, 48, 1}, {220, 220, 220}, 1, 1.8},
        {"stack-of-spirals", {16, 16, 5}},
        {"cones", {14, 14, 14}},
    };
    return cases;
}

const std::vector<DesignCase>& undersampled() {
    static const std::vector<DesignCase> cases{
        {"cartesian", {12, 9, 1}, {240, 180, 5}, 2},
        {"golden-radial", {32, 32, 1}, {220, 220, 220}, 1.7},
        {"radial", {16, 16, 16}, {400, 400, 400}, 3, 1, "129Xe", 37},
        {"radial-centre-out", {24, 24, 24}, {220, 220, 220}, 4, 1, "23Na", 33},
        {"spiral", {128, 96, 1}, {256, 192, 5}, 2},
        {"spiral", {64, 64, 1}, {220, 220, 220}, 1, 1, "1H", 500},
        {"cones", {32, 32, 24}, {240, 240, 180}, 3, 1, "23Na"},
    };
    return cases;
}

INSTANTIATE_TEST_SUITE_P(Complete, EveryDesign, ::testing::ValuesIn(fully_sampled()));
INSTANTIATE_TEST_SUITE_P(Sparse, EveryDesign, ::testing::ValuesIn(undersampled()));
INSTANTIATE_TEST_SUITE_P(Complete, FullySampledDesign, ::testing::ValuesIn(fully_sampled()));

TEST(TrajectoryDesign, FasterGradientsShortenTheReadout) {
    TrajectoryRequest request;
    request.matrix_size = {128, 128, 1};
    request.dwell_time_s = 1e-6;
    const DesignedTrajectory usual = design_trajectory("spiral", request);
    request.limits.slew_rate_t_per_m_s = 50;
    const DesignedTrajectory slow = design_trajectory("spiral", request);
    EXPECT_GT(slow.samples_per_readout, usual.samples_per_readout * 1.2);
}

TEST(TrajectoryDesign, UndersamplingDividesTheReadouts) {
    TrajectoryRequest request;
    request.matrix_size = {32, 32, 32};
    for (const char* kind : {"radial", "radial-centre-out", "cartesian", "cones"}) {
        request.undersampling = 1;
        const auto all = static_cast<double>(design_trajectory(kind, request).readout_count);
        request.undersampling = 2;
        const auto half = static_cast<double>(design_trajectory(kind, request).readout_count);
        if (std::string(kind) != "cones") {  // whose number per cone is fixed: sqrt(2) fewer cones, longer turns
            EXPECT_NEAR(all / half, 2, 0.1) << kind;
        } else {
            EXPECT_GT(all / half, 1.3);
        }
    }
    request.matrix_size = {64, 64, 1};
    request.undersampling = 1;
    const auto all = static_cast<double>(design_trajectory("spiral", request).trajectory.sample_count());
    request.undersampling = 2;
    const auto half = static_cast<double>(design_trajectory("spiral", request).trajectory.sample_count());
    EXPECT_GT(all / half, 1.4);
}

TEST(TrajectoryDesign, RefusesWhatItCannotMean) {
    TrajectoryRequest request;
    test::expect_error<UsageError>([&] { design_trajectory("zigzag", request); }, {"zigzag", "cones"});
    test::expect_error<UsageError>([&] { design_trajectory("spiral", request); }, {"spiral", "needs 2", "has 3"});
    request.interleaves = 4;
    test::expect_error<UsageError>([&] { design_trajectory("radial", request); }, {"`interleaves`", "radial"});
    request.interleaves.reset();
    request.readouts = 4;
    test::expect_error<UsageError>([&] { design_trajectory("cones", request); }, {"`readouts`", "cones"});
    request.readouts.reset();
    request.density_power = 2;
    test::expect_error<UsageError>([&] { design_trajectory("cones", request); }, {"`density_power`"});
    request.density_power = 1;
    request.echo_time_s = 1e-6;
    test::expect_error<UsageError>([&] { design_trajectory("radial", request); }, {"`echo_time`", "too early"});
    request.echo_time_s.reset();
    request.undersampling = 0;
    test::expect_error<UsageError>([&] { design_trajectory("radial", request); }, {"`undersampling`", "0"});
    request.undersampling = 1e-9;
    test::expect_error<UsageError>([&] { design_trajectory("radial", request); }, {"`undersampling`"});
    request.undersampling = 1;
    request.dwell_time_s = std::nan("");
    test::expect_error<UsageError>([&] { design_trajectory("radial", request); }, {"`dwell`"});
    request.dwell_time_s = 1e-5;
    request.limits.slew_rate_t_per_m_s = 1e-9;
    test::expect_error<UsageError>([&] { design_trajectory("cones", request); },
                                   {"would take", "1 s at most", "`slew_rate`"});
    request.limits.slew_rate_t_per_m_s = 150;
    request.matrix_size = {0, 3, 3};
    test::expect_error<UsageError>([&] { design_trajectory("radial", request); }, {"`matrix`"});
    test::expect_error<UsageError>([&] { gyromagnetic_ratio_hz_per_t("2H"); }, {"2H", "129Xe"});
}

}  // namespace
}  // namespace recon
