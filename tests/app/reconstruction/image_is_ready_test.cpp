// What a caller does with an image before it is judged.
#include <gtest/gtest.h>

#include "app/reconstruction/reconstruction.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"

namespace recon {
namespace {

struct Ready {
    int calls = 0;
    std::vector<cfloat> image;
    std::vector<std::string> maps;
    bool is_judged = false;
    std::vector<FrameResult> results;
};

Ready run_with(Index frame_count) {
    SimulationOptions simulation;
    simulation.request.matrix_size = {16, 16, 1};
    simulation.frame_count = frame_count;
    Scan scan = simulate_scan(simulation).scan;
    ReconstructOptions options;
    options.regularisation.scan = ScanPrior::scan;
    Ready ready;
    RunControl control;
    control.image_is_ready = [&](std::vector<cfloat>& image, std::span<const NamedArray> maps) {
        ++ready.calls;
        ready.image = image;
        for (const NamedArray& map : maps) {
            ready.maps.push_back(map.name);
        }
        ready.is_judged = control.stages.costs().contains(Stage::residual);
    };
    ready.results = reconstruct(scan, test::cpu_team(1), options, control);
    return ready;
}

TEST(ImageIsReady, OfTheOnlyFrameBeforeItIsJudged) {
    const Ready ready = run_with(1);
    EXPECT_EQ(ready.calls, 1);
    EXPECT_EQ(ready.image, ready.results.front().image);
    EXPECT_EQ(ready.maps, std::vector<std::string>{"uncertainty/sd"});
    EXPECT_FALSE(ready.is_judged);
}

/// @return the maps that were handed out, and those of the result
std::vector<NamedArray> coil_maps_of(Index frame_count, const CoilOptions& coils) {
    SimulationOptions simulation;
    simulation.request.matrix_size = {32, 32, 1};
    simulation.coil_count = 4;
    simulation.store_coil_maps = false;
    simulation.frame_count = frame_count;
    Scan scan = simulate_scan(simulation).scan;
    ReconstructOptions options;
    options.coils = coils;
    RunControl control;
    std::vector<NamedArray> maps;
    control.coil_maps_are_ready = [&](const NamedArray& ready) {
        maps.push_back(ready);
        EXPECT_FALSE(control.stages.costs().contains(Stage::solve));
    };
    const std::vector<FrameResult> results = reconstruct(scan, test::cpu_team(1), options, control);
    for (const NamedArray& extra : results.front().extras) {
        if (extra.name == "coil_maps") {
            maps.push_back(extra);
        }
    }
    return maps;
}

TEST(CoilMapsAreReady, OfTheOnlyFrameBeforeItIsSolvedFor) {
    const std::vector<NamedArray> maps = coil_maps_of(1, {});
    ASSERT_EQ(maps.size(), 2U);
    EXPECT_EQ(maps[0].name, maps[1].name);
    EXPECT_EQ(maps[0].extents, maps[1].extents);
    EXPECT_EQ(maps[0].values, maps[1].values);
}

TEST(CoilMapsAreReady, NeitherOfASeriesNorOfFewerCoils) {
    EXPECT_EQ(coil_maps_of(2, {}).size(), 1U);
    CoilOptions fewer;
    fewer.compression.coil_count = 2;
    EXPECT_EQ(coil_maps_of(1, fewer).size(), 1U);
}

TEST(ImageIsReady, OfNoneOfASeries) { EXPECT_EQ(run_with(2).calls, 0); }

}  // namespace
}  // namespace recon
