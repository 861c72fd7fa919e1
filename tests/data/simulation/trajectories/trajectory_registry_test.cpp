#include <gtest/gtest.h>

#include <cmath>

#include "data/simulation/simulate_series.hpp"
#include "data/simulation/trajectories/trajectory_kind.hpp"

namespace recon {
namespace {

/// A line along x: nothing but this file knows of it. A longer one begins with a shorter one.
DesignedTrajectory design_comb(const TrajectoryRequest& request) {
    DesignedTrajectory design;
    design.readout_count = request.readouts.value_or(2);
    design.samples_per_readout = 1;
    for (Index readout = 0; readout < design.readout_count; ++readout) {
        design.trajectory.k[0].push_back(static_cast<double>(readout));
    }
    design.trajectory.k[1].assign(design.readout_count, 0);
    design.trajectory.k[2].assign(design.readout_count, 0);
    design.sample_times_s.assign(design.readout_count, 0);
    return design;
}

const Registration registered_comb(trajectory_kinds(), TrajectoryKind{.name = "comb",
                                                                      .explanation = "a toy",
                                                                      .takes_readouts = true,
                                                                      .goes_on = true,
                                                                      .design = design_comb});

TEST(TrajectoryRegistry, FramesOfATrajectoryFromAFileOfItsOwnGoOnFromEachOther) {
    SimulationOptions options;
    options.phantom = "brain";
    options.trajectory = "comb";
    options.request.matrix_size = {1, 16, 16};
    options.coil_count = 1;
    options.frame_count = 3;
    options.snr = HUGE_VAL;
    const Simulation simulation = simulate_series(options);
    ASSERT_EQ(simulation.scan.frames.size(), 3U);
    EXPECT_EQ(simulation.scan.frames[2].trajectory->k[1], (std::vector<double>{4, 5}))
        << "along the first axis there is";
}

TEST(TrajectoryRegistry, HasADefaultForEachNumberOfAxes) {
    EXPECT_EQ(trajectory_kind("", {9, 1, 1}).name, "cartesian");
    EXPECT_EQ(trajectory_kind("", {1, 9, 9}).name, "spiral");
    EXPECT_EQ(trajectory_kind("", {9, 9, 9}).name, "cones");
    EXPECT_EQ(trajectory_kind("comb", {9, 9, 9}).name, "comb");
}

}  // namespace
}  // namespace recon
