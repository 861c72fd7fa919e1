// Two reconstructions in one process share nothing that shows.
#include <gtest/gtest.h>

#include <thread>

#include "app/reconstruction/reconstruction.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/log_binding.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"

namespace recon {
namespace {

struct Outcome {
    std::vector<cfloat> image;
    std::vector<std::string> log;
};

Outcome reconstructed(int thread_count, Index matrix, bool cancelled = false) {
    Log log;
    const LogBinding bound(&log);
    SimulationOptions simulation;
    simulation.request.matrix_size = {matrix, matrix, 1};
    simulation.coil_count = 2;
    Scan scan = simulate_scan(simulation).scan;
    const auto backend = make_cpu_backend(thread_count);
    log_info("{} voxels wide, {}", matrix, backend->description());
    RunControl control;
    if (cancelled) {
        control.cancel.request();
    }
    ReconstructOptions options;
    options.cg.iterations = 10;
    Outcome outcome;
    try {
        outcome.image = reconstruct(scan, *backend, options, control).front().image;
    } catch (const Cancelled&) {
    }
    outcome.log = log.history();
    return outcome;
}

/// The same by a team of devices.
Outcome reconstructed_by(const Team& team, const ReconstructOptions& options, const std::string& trajectory) {
    Log log;
    const LogBinding bound(&log);
    SimulationOptions simulation;
    simulation.request.matrix_size = {30, 26, 1};
    simulation.coil_count = 4;
    simulation.store_coil_maps = true;
    simulation.trajectory = trajectory;
    Scan scan = simulate_scan(simulation).scan;
    log_info("begins: {} on {} devices", trajectory, team.ranks.size());
    RunControl control;
    Outcome outcome;
    outcome.image = reconstruct(scan, team, options, control).front().image;
    log_info("ends: {}", trajectory);
    outcome.log = log.history();
    return outcome;
}

Index lines_with(const Outcome& outcome, const std::string& text) {
    return std::ranges::count_if(outcome.log, [&](const std::string& line) { return line.find(text) != line.npos; });
}

TEST(TwoAtOnce, GiveTheImagesOfEachAloneAndLogApart) {
    const Outcome small = reconstructed(1, 24);
    const Outcome large = reconstructed(2, 36);
    Outcome small_beside;
    Outcome large_beside;
    Outcome stopped;
    {
        const std::jthread one([&] { small_beside = reconstructed(1, 24); });
        const std::jthread other([&] { large_beside = reconstructed(2, 36); });
        const std::jthread third([&] { stopped = reconstructed(1, 30, true); });
    }
    ASSERT_FALSE(small.image.empty());
    EXPECT_EQ(small_beside.image, small.image);
    EXPECT_EQ(large_beside.image, large.image);
    EXPECT_TRUE(stopped.image.empty()) << "a request to stop one of them";
    EXPECT_EQ(small_beside.log.size(), small.log.size());
    EXPECT_EQ(large_beside.log.size(), large.log.size());
    EXPECT_EQ(lines_with(small_beside, "24 voxels wide, CPU, 1 thread,"), 1);
    EXPECT_EQ(lines_with(small_beside, "36 voxels"), 0);
    EXPECT_EQ(lines_with(large_beside, "36 voxels wide, CPU, 2 threads"), 1);
    EXPECT_EQ(lines_with(large_beside, "24 voxels"), 0);
}

/// What the lines say beside their times and numbers.
std::vector<std::string> words_of(const Outcome& outcome) {
    std::vector<std::string> words = outcome.log;
    for (std::string& line : words) {
        std::erase_if(line,
                      [](char letter) { return std::string("0123456789.e+-").find(letter) != std::string::npos; });
    }
    return words;
}

TEST(TwoAtOnce, TeamsOfOneAndTwoDevicesDoNotMeet) {
    ReconstructOptions plain;
    plain.cg.iterations = 8;
    ReconstructOptions with_scan = plain;
    with_scan.regularisation = parse_regularisation({"scan"}, {});
    const Outcome one = reconstructed_by(test::cpu_team(1), plain, "radial");
    const Outcome two = reconstructed_by(test::cpu_team(2), with_scan, "spiral");
    ASSERT_FALSE(one.image.empty());
    ASSERT_FALSE(two.image.empty());
    for (int repetition = 0; repetition < 3; ++repetition) {
        Outcome one_beside;
        Outcome two_beside;
        {
            const std::jthread first([&] { one_beside = reconstructed_by(test::cpu_team(1), plain, "radial"); });
            const std::jthread second([&] { two_beside = reconstructed_by(test::cpu_team(2), with_scan, "spiral"); });
        }
        EXPECT_EQ(one_beside.image, one.image);
        EXPECT_EQ(two_beside.image, two.image);
        EXPECT_EQ(words_of(one_beside), words_of(one));
        EXPECT_EQ(words_of(two_beside), words_of(two));
        EXPECT_EQ(lines_with(one_beside, "scan prior"), 0);
        EXPECT_GT(lines_with(two_beside, "scan prior"), 0);
        for (const Outcome* outcome : {&one_beside, &two_beside}) {
            EXPECT_NE(outcome->log.front().find("begins: "), std::string::npos);
            EXPECT_NE(outcome->log.back().find("ends: "), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace recon
