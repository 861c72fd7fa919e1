#include "app/reconstruction/coils/calibration_place.hpp"

#include <gtest/gtest.h>

#include "app/reconstruction/coils/estimated_maps.hpp"
#include "app/reconstruction/memory/memory_planning.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/parallel/communicator.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

/// Radial samples around an echo that is not at k = 0.
Scan scan_with_echo_at(const PerAxis<double>& echo) {
    SimulationOptions options;
    options.request.matrix_size = {48, 48, 1};
    options.trajectory = "radial";
    options.coil_count = 3;
    options.store_coil_maps = false;
    Scan scan = simulate_scan(options).scan;
    auto moved = std::make_shared<Trajectory>(*scan.frames.front().trajectory);
    for (int axis = 0; axis < 3; ++axis) {
        for (double& k : moved->k[axis]) {
            k += echo[axis];
        }
    }
    scan.frames.front().trajectory = moved;
    return scan;
}

class PlacesOf : public ::testing::Test {
protected:
    CalibrationPlace place(const Frame& frame, std::span<const cfloat> kspace) {
        return places_.of(frame, {kspace, scan_.coil_count}, scan_.geometry.matrix_size, options_.coils);
    }

    void expect_echo(const CalibrationPlace& found) {
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(found.centre[axis], echo_[axis], 2.5);  // the mean of a neighbourhood is greatest there
        }
    }

    const PerAxis<double> echo_{6, -4, 0};
    const PerAxis<double> none_{0, 0, 0};
    Scan scan_ = scan_with_echo_at(echo_);
    const Frame& frame_ = scan_.frames.front();
    ReconstructOptions options_;
    CalibrationPlaces places_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend(2);
};

TEST_F(PlacesOf, AFrameAreLookedForOnceThereIsItsKspace) {
    EXPECT_EQ(place(frame_, {}).centre, none_);
    const CalibrationPlace found = place(frame_, frame_.kspace);
    expect_echo(found);
    EXPECT_GT(found.sample_count, 0);
    EXPECT_LT(found.sample_count, frame_.sample_count());
    const Frame other = frame_;
    EXPECT_EQ(place(other, {}).centre, none_);
    const CalibrationPlace again = place(frame_, {});  // which says nothing of an echo
    EXPECT_EQ(again.centre, found.centre);
    EXPECT_EQ(again.sample_count, found.sample_count);
    EXPECT_EQ(again.measured.region.radius, found.measured.region.radius);
}

TEST_F(PlacesOf, AForecastStay) {
    plan_memory(
        scan_, *backend_, options_, 1,
        [](const ReconstructionContext& context) { estimate_maps(context, context.scan.frames.front()); }, places_);
    expect_echo(place(frame_, {}));
}

TEST_F(PlacesOf, AForecastAreTheRuns) {
    const auto maps_of_run = [&](CalibrationPlaces& places) {
        RunControl control;
        recon::Run run(*backend_, only_rank(), control);
        const Division division(only_rank(), scan_.coil_count);
        CoilMapStore maps;
        estimate_maps({run, scan_, *backend_, division, options_, MemoryPlan{}, maps, places}, frame_);
        return maps.take(frame_.label.slice);
    };
    CalibrationPlaces none;
    const std::vector<cfloat> own = maps_of_run(none);
    place(frame_, frame_.kspace);
    EXPECT_EQ(maps_of_run(places_), own);
    CalibrationPlaces elsewhere;
    const std::vector<cfloat> flat(frame_.kspace.size(), cfloat(1));  // without an echo
    elsewhere.of(frame_, {flat, scan_.coil_count}, scan_.geometry.matrix_size, options_.coils);
    EXPECT_NE(maps_of_run(elsewhere), own);
}

}  // namespace
}  // namespace recon
