// Ranks that are processes, with threads in their place that share nothing: the bytes of ranks that share a scan, and
// where frames are divided those of one.
#include <gtest/gtest.h>

#include <thread>

#include "app/reconstruction/reconstruction.hpp"
#include "core/processes/process_communicator.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/loopback_transport.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

using RankResults = std::vector<FrameResult>;

/// What rank 0 of so many processes gets.
RankResults by_processes(int size, const std::function<Scan()>& make_scan, const ReconstructOptions& options) {
    const auto groups = test::make_loopback_groups(size);
    RankResults of_root;
    std::vector<std::jthread> threads;
    for (const auto& group : groups) {
        threads.emplace_back([&, &group = *group] {
            Team team = Team::of_one(make_cpu_backend(1));
            team.ranks.front() = make_process_communicator(group);
            team.processes = &group;
            Scan scan = make_scan();
            RunControl control;
            RankResults results = reconstruct(scan, team, options, control);
            if (group.rank() == 0) {
                of_root = std::move(results);
            } else {
                EXPECT_TRUE(results.empty() || results.front().image.empty());
            }
            group.end({}, [](const std::string& line) { ADD_FAILURE() << line; });
        });
    }
    threads.clear();
    return of_root;
}

RankResults by_threads(int size, const std::function<Scan()>& make_scan, const ReconstructOptions& options) {
    Scan scan = make_scan();
    RunControl control;
    return reconstruct(scan, test::cpu_team(size), options, control);
}

ReconstructOptions of_division(RankDivision divide) {
    ReconstructOptions options;
    options.cg = {.iterations = 4, .stop = 0};
    options.divide = divide;
    options.baseline = true;
    return options;
}

void expect_same_bytes(const RankResults& found, const RankResults& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].label, expected[i].label);
        EXPECT_EQ(found[i].image, expected[i].image) << i;
        EXPECT_EQ(found[i].baseline, expected[i].baseline) << i;
        EXPECT_EQ(found[i].data_residual, expected[i].data_residual) << i;
        ASSERT_EQ(found[i].extras.size(), expected[i].extras.size());
        for (std::size_t extra = 0; extra < found[i].extras.size(); ++extra) {
            EXPECT_EQ(found[i].extras[extra].name, expected[i].extras[extra].name);
            EXPECT_EQ(found[i].extras[extra].values, expected[i].extras[extra].values);
        }
    }
}

Scan some_scan(Index coils) { return test::sample_scan({.coils = coils, .readouts = 9, .samples = 11}); }

/// Without coil maps, which are estimated once a slice.
Scan series_without_maps() {
    Scan scan = test::sample_scan({.coils = 3, .readouts = 9, .samples = 11, .frames = 5});
    scan.coil_maps.clear();
    return scan;
}

TEST(ProcessRanks, CoilsAndSamplesDividedHaveTheBytesOfThreads) {
    for (const Index coils : {1, 2, 5}) {
        for (const int size : {2, 3}) {
            const auto scan = [coils] { return some_scan(coils); };
            const ReconstructOptions options = of_division(RankDivision::coils);
            expect_same_bytes(by_processes(size, scan, options), by_threads(size, scan, options));
        }
    }
}

TEST(ProcessRanks, EstimatedMapsAreThoseOfRankZero) {
    const ReconstructOptions options = of_division(RankDivision::coils);
    expect_same_bytes(by_processes(3, series_without_maps, options), by_threads(3, series_without_maps, options));
}

TEST(ProcessRanks, FramesDividedHaveTheBytesOfOneProcess) {
    for (const int size : {2, 4}) {
        const ReconstructOptions options = of_division(RankDivision::frames);
        expect_same_bytes(by_processes(size, series_without_maps, options),
                          by_threads(1, series_without_maps, options));
    }
}

}  // namespace
}  // namespace recon
