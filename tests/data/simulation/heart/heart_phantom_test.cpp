// The beating heart: its transform against its values, its muscle's area, its scar, and when each readout sees it.
#include "data/simulation/heart/heart_phantom.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "data/simulation/simulate_heart.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

PhantomSite slice_of(Index size) {
    PhantomSite site;
    site.present = {true, true, false};
    site.voxel = {1.0 / static_cast<double>(size), 1.0 / static_cast<double>(size), 1};
    return site;
}

SimulationOptions options_of(Index frames, const std::string& trajectory) {
    SimulationOptions options;
    options.phantom = "heart";
    options.trajectory = trajectory;
    options.request.matrix_size = {32, 32, 1};
    options.request.undersampling = 4;
    options.coil_count = 2;
    options.frame_count = frames;
    options.snr = HUGE_VAL;
    return options;
}

TEST(StarPolygon, HasTheTransformOfASumOverItsPoints) {
    const StarPolygon polygon({0.1, -0.05}, {0.2, 0.1, 0.15, 0.25, 0.2, 0.18, 0.12});
    TrigonometricMaps maps = constant_map();
    maps.frequencies.push_back({0.5, -0.5, 0});
    maps.coefficients = {cdouble(0.7, 0.1), cdouble(-0.2, 0.4)};
    const std::vector<Point2> k{{0, 0}, {1e-7, 0}, {0.5, -0.5}, {3, 2}, {-4, 1.3}, {0, 6}};
    std::vector<cdouble> exact(k.size(), cdouble(1, 2));  // to which it is added
    polygon.add_transform(maps, k, 3, exact);
    constexpr int fine = 800;
    std::vector<cdouble> sums(k.size());
    double area = 0;
    for (int i = 0; i < fine * fine; ++i) {
        const Point2 point{(i % fine + 0.5) / fine - 0.5, (i / fine + 0.5) / fine - 0.5};
        if (polygon.holds(point)) {
            area += 1.0 / (fine * fine);
            for (std::size_t m = 0; m < k.size(); ++m) {
                sums[m] += 3.0 / (fine * fine) * maps.value(0, {point[0], point[1], 0}) *
                           std::polar(1.0, -2 * pi * (k[m][0] * point[0] + k[m][1] * point[1]));
            }
        }
    }
    constexpr double of_the_edge = 1e-3;  // cells that the edge cuts
    EXPECT_NEAR(polygon.area(), area, of_the_edge);
    for (std::size_t m = 0; m < k.size(); ++m) {
        EXPECT_LT(std::abs(exact[m] - cdouble(1, 2) - sums[m]), of_the_edge) << m;
    }
}

TEST(HeartBeat, RisesAndFallsOncePerBeat) {
    const HeartBeat beat({});
    EXPECT_EQ(beat.duration_s(), 1);
    EXPECT_NEAR(beat.contraction(0.37)[5], beat.contraction(0.37 + 5)[5], 1e-12);
    double most = 0;
    for (int i = 0; i < 50; ++i) {
        for (const double s : beat.contraction(i / 50.0)) {
            EXPECT_GE(s, 0);
            EXPECT_LE(s, 1);
            most = std::max(most, s);
        }
    }
    EXPECT_GT(most, 0.7);
    for (const double s : beat.contraction(0)) {
        EXPECT_LT(s, 0.15) << "the heart rests before the next beat";
    }
    // The wave starts at the left, half of the points away from x.
    const std::vector<double> early = beat.contraction(0.12);
    EXPECT_GT(early[HeartBeat::point_count / 2], early[0] + 0.05);
}

TEST(HeartBeat, AScarDoesNotMove) {
    const HeartBeat scarred({.beats_a_minute = 60, .scar_degrees = 90, .activation_file = {}});
    const HeartBeat whole({});
    double most = 0, most_whole = 0, elsewhere = 0;
    for (int i = 0; i < 20; ++i) {
        most = std::max(most, scarred.contraction(i / 20.0)[0]);
        most_whole = std::max(most_whole, whole.contraction(i / 20.0)[0]);
        elsewhere = std::max(elsewhere, scarred.contraction(i / 20.0)[HeartBeat::point_count / 2]);
    }
    EXPECT_LT(most, 0.05);
    EXPECT_GT(most_whole, 0.6);
    EXPECT_GT(elsewhere, 0.6);
}

TEST(HeartPhantom, MuscleKeepsItsAreaWhileTheCavityShrinks) {
    const HeartPhantom heart(slice_of(64), {});
    const VoxelGrid grid = VoxelGrid::image({128, 128, 1});
    double least = 1, most = 0, least_muscle = 1, most_muscle = 0;
    for (int i = 0; i < 10; ++i) {
        const double time_s = i / 10.0;
        const double cavity = heart.cavity_area(time_s);
        least = std::min(least, cavity);
        most = std::max(most, cavity);
        double muscle = 0;  // everything bright but the cavity, of which the ring alone changes
        for (const cfloat value : heart.values(grid, time_s)) {
            muscle += value.real() / (128.0 * 128);
        }
        muscle -= 0.9 * cavity;
        least_muscle = std::min(least_muscle, muscle);
        most_muscle = std::max(most_muscle, muscle);
    }
    EXPECT_GT(1 - least / most, 0.5) << "ejection fraction";
    EXPECT_LT(most_muscle - least_muscle, 1e-3);
}

TEST(SimulateHeart, ReadoutsSeeTheHeartAtTheirOwnTime) {
    const Simulation scan = simulate_scan(options_of(5, "golden-radial"));
    ASSERT_EQ(scan.scan.frames.size(), 5U);
    const HeartPhantom heart(slice_of(32), {});
    const TrigonometricMaps one = constant_map();
    for (Index t = 0; t < 5; ++t) {
        EXPECT_EQ(scan.scan.frames[t].label.phase, t);
        EXPECT_EQ(scan.scan.frames[t].sample_count() % scan.design.samples_per_readout, 0);
    }
    SimulationOptions single = options_of(5, "golden-radial");
    single.coil_count = 1;
    const Simulation plain = simulate_scan(single);
    const Frame& frame = plain.scan.frames[2];
    const Index samples = plain.design.samples_per_readout, readouts = frame.sample_count() / samples;
    // A beat of 1 s has 5 phases of 50 readouts or as many as fit: the first of this frame is 50 x 2 + 1/2 of them in.
    const double repetition_s = 1.0 / (5 * 50);
    Trajectory first;
    for (int axis = 0; axis < 3; ++axis) {
        first.k[axis].assign(frame.trajectory->k[axis].begin(), frame.trajectory->k[axis].begin() + samples);
    }
    const double at[] = {(2 * 50 + 0.5) * repetition_s}, before[] = {0.0};
    const std::vector<cdouble> expected = heart.transform(one, first, at), wrong = heart.transform(one, first, before);
    double difference = 0, difference_at_rest = 0, size = 0;
    for (Index sample = 0; sample < samples; ++sample) {
        const cdouble found = cdouble(frame.kspace[sample]) / 1024.0;
        difference += std::norm(found - expected[sample]);
        difference_at_rest += std::norm(found - wrong[sample]);
        size += std::norm(expected[sample]);
    }
    EXPECT_LT(std::sqrt(difference / size), 1e-6);
    EXPECT_GT(std::sqrt(difference_at_rest / size), 1e-2);
    EXPECT_EQ(readouts % 50, 0);
}

TEST(SimulateHeart, OtherTrajectoriesAreFilledBeatByBeat) {
    SimulationOptions options = options_of(4, "spiral");
    options.request.matrix_size = {16, 16, 1};
    options.heart.beats_a_minute = 200;
    const Simulation scan = simulate_scan(options);
    ASSERT_EQ(scan.scan.frames.size(), 4U);
    for (const Frame& frame : scan.scan.frames) {
        EXPECT_EQ(frame.trajectory->k[0], scan.scan.frames[0].trajectory->k[0]);
        EXPECT_EQ(static_cast<Index>(frame.kspace.size()), 2 * frame.sample_count());
    }
    EXPECT_NE(scan.scan.frames[0].kspace, scan.scan.frames[2].kspace);
    EXPECT_EQ(scan.cavity_areas.size(), 4U);
}

TEST(SimulateHeart, RefusesWhatCannotBe) {
    SimulationOptions options = options_of(4, "");
    options.request.matrix_size = {16, 16, 16};
    test::expect_error<UsageError>([&] { simulate_scan(options); }, {"heart is a slice"});
    options = options_of(4, "radial");
    options.edge_voxels = 0.5;
    test::expect_error<UsageError>([&] { simulate_scan(options); }, {"`edge`"});
    options = options_of(4, "radial");
    options.heart.beats_a_minute = 1000;
    test::expect_error<UsageError>([&] { simulate_scan(options); }, {"`heart_rate`"});
    options = options_of(10000, "radial");
    test::expect_error<UsageError>([&] { simulate_scan(options); }, {"`frames`"});
    options = options_of(4, "radial");
    options.heart.activation_file = "/no/such/heart.h5";
    EXPECT_THROW(simulate_scan(options), InputError);
}

}  // namespace
}  // namespace recon
