// Two reconstructions in one process share nothing that shows.
#include <gtest/gtest.h>

#include <thread>

#include "app/reconstruction/reconstruction.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/log_binding.hpp"
#include "data/simulation/simulate_scan.hpp"

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
    EXPECT_EQ(lines_with(small_beside, "24 voxels wide, CPU, 1 threads"), 1);
    EXPECT_EQ(lines_with(small_beside, "36 voxels"), 0);
    EXPECT_EQ(lines_with(large_beside, "36 voxels wide, CPU, 2 threads"), 1);
    EXPECT_EQ(lines_with(large_beside, "24 voxels"), 0);
}

}  // namespace
}  // namespace recon
