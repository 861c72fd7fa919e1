#include "core/mri/sample_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

using test::expect_error;
using ::testing::HasSubstr;

/// Readouts that cross the centre of k-space at their sample `centre`, turned from one to the next.
Scan crossing_scan(Index readouts, Index samples, Index centre) {
    Scan scan;
    scan.path = "scan.h5";
    scan.samples_per_readout = samples;
    auto trajectory = std::make_shared<Trajectory>();
    for (Index r = 0; r < readouts; ++r) {
        for (Index s = 0; s < samples; ++s) {
            const auto k = static_cast<double>(s - centre);
            trajectory->k[0].push_back(k * std::cos(static_cast<double>(r)));
            trajectory->k[1].push_back(k * std::sin(static_cast<double>(r)));
            trajectory->k[2].push_back(0);
        }
    }
    Frame frame;
    frame.trajectory = trajectory;
    scan.frames.push_back(frame);
    return scan;
}

TEST(SampleTimes, DwellAndEchoTimeGiveTimesFromExcitation) {
    Scan scan = crossing_scan(3, 5, 2);
    EXPECT_EQ(centre_sample(*scan.frames[0].trajectory, 5), 2);
    set_sample_times(scan, {10e-6, 2e-3});
    for (Index m = 0; m < 15; ++m) {
        EXPECT_NEAR(scan.frames[0].sample_times_s[m], 2e-3 + static_cast<double>(m % 5 - 2) * 10e-6, 1e-9);
    }
    EXPECT_TRUE(sample_time_doubts(scan, scan.frames[0]).empty());
    // The echo time alone moves them; the dwell time alone keeps the echo where it is.
    set_sample_times(scan, {std::nullopt, 5e-3});
    EXPECT_NEAR(scan.frames[0].sample_times_s[2], 5e-3, 1e-9);
    EXPECT_NEAR(scan.frames[0].sample_times_s[4], 5e-3 + 20e-6, 1e-9);
    set_sample_times(scan, {20e-6, std::nullopt});
    EXPECT_NEAR(scan.frames[0].sample_times_s[2], 5e-3, 1e-9);
    EXPECT_NEAR(scan.frames[0].sample_times_s[4], 5e-3 + 40e-6, 1e-9);
}

TEST(SampleTimes, WithoutAnEchoTimeReadoutsBeginAtZero) {
    Scan scan = crossing_scan(2, 7, 3);
    set_sample_times(scan, {4e-6, std::nullopt});
    EXPECT_NEAR(scan.frames[0].sample_times_s[0], 0, 1e-12);
    EXPECT_NEAR(scan.frames[0].sample_times_s[7], 0, 1e-12);
    EXPECT_TRUE(sample_time_doubts(scan, scan.frames[0]).empty());
    EXPECT_NEAR(scan.frames[0].sample_times_s[13], 24e-6, 1e-10);
}

TEST(SampleTimes, WhatCannotBeToldIsRefused) {
    Scan scan = crossing_scan(2, 4, 0);
    expect_error<InputError>([&] { set_sample_times(scan, {std::nullopt, 1e-3}); }, {"scan.h5", "give `dwell`"});
    scan.samples_per_readout = 0;
    expect_error<InputError>([&] { set_sample_times(scan, {1e-6, 1e-3}); }, {"scan.h5", "equal length"});
    scan.samples_per_readout = 4;
    scan.frames.push_back(scan.frames[0]);
    scan.frames[1].label.contrast = 1;
    expect_error<InputError>([&] { set_sample_times(scan, {1e-6, 1e-3}); }, {"several contrasts", "`select`"});
    set_sample_times(scan, {});
    EXPECT_TRUE(scan.frames[0].sample_times_s.empty());
}

TEST(SampleTimes, DoubtsAreSpoken) {
    Scan scan = crossing_scan(4, 6, 0);
    const auto doubts_of = [&](auto&& time) {
        std::vector<float> times;
        for (Index m = 0; m < 24; ++m) {
            times.push_back(static_cast<float>(time(m / 6, m % 6)));
        }
        scan.frames[0].sample_times_s = times;
        return sample_time_doubts(scan, scan.frames[0]);
    };
    const auto some = [](Index value) { return static_cast<double>(value); };
    EXPECT_TRUE(doubts_of([&](Index, Index s) { return 1e-3 + 1e-5 * some(s); }).empty());
    EXPECT_TRUE(doubts_of([&](Index r, Index s) { return 1e-3 * some(r) + 1e-5 * some(s); }).empty()) << "a train";
    EXPECT_THAT(doubts_of([&](Index, Index s) { return -1e-3 + 1e-5 * some(s); }),
                ::testing::ElementsAre(HasSubstr("1 ms before excitation")));
    EXPECT_THAT(doubts_of([&](Index, Index s) { return 1e-3 - 1e-5 * some(s); }),
                ::testing::ElementsAre(HasSubstr("backwards")));
    EXPECT_THAT(doubts_of([&](Index, Index) { return 1e-3; }), ::testing::ElementsAre(HasSubstr("same time")));
    EXPECT_THAT(doubts_of([&](Index r, Index s) { return 0.2 * some(r) + 1e-5 * some(s); }),
                ::testing::ElementsAre(HasSubstr("from readout to readout")));
}

}  // namespace
}  // namespace recon
