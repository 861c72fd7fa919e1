#include "app/studies/bench/cost_fit.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/fourier/nufft_design.hpp"

namespace recon {
namespace {

/// Each another multiple of what it is without calibration.
CpuCosts other_costs() {
    CpuCosts costs;
    double times = 0.4;
    for (const NamedCpuCost& cost : named_cpu_costs) {
        costs.*cost.value *= times *= 1.3;
    }
    return costs;
}

std::vector<TimedWork> works_that_take(const CpuCosts& costs) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> share(0, 1);
    std::vector<TimedWork> works(30);
    for (TimedWork& work : works) {
        for (std::size_t i = 0; i < named_cpu_costs.size(); ++i) {
            work.charges[i] = share(random) / (CpuCosts().*named_cpu_costs[i].value);
        }
        work.seconds = work.predicted_s(costs);
    }
    return works;
}

TEST(CostFit, FindsTheCostsThatTimesAreMadeOf) {
    const CpuCosts costs = fit_cpu_costs(works_that_take(other_costs()));
    for (const NamedCpuCost& cost : named_cpu_costs) {
        EXPECT_NEAR(costs.*cost.value / (other_costs().*cost.value), 1, 1e-6) << cost.name;
    }
}

TEST(CostFit, LeavesWhatNothingWasChargedWithAndNothingBelowZero) {
    std::vector<TimedWork> works = works_that_take(other_costs());
    for (TimedWork& work : works) {
        work.charges[0] = 0;
        work.seconds = 1 / (1 + work.charges[1]);  // the more of it the faster, as no cost can explain
    }
    const CpuCosts costs = fit_cpu_costs(works);
    EXPECT_EQ(costs.*named_cpu_costs[0].value, CpuCosts().*named_cpu_costs[0].value);
    for (const NamedCpuCost& cost : named_cpu_costs) {
        EXPECT_GT(costs.*cost.value, 0) << cost.name;
    }
}

/// Predictions are sums of costs: what the fit takes them for.
TEST(CostFit, ChargesGiveWhatTheBackendPredicts) {
    const auto cpu = make_cpu_backend(2);
    const VoxelGrid grid = VoxelGrid::image({24, 20, 18});
    const NufftDesign design = NufftDesign::best(grid, 5000, 1e-4, Precision::single);
    const std::vector<std::function<double()>> predictions{
        [&] { return cpu->predicted_exact_seconds(grid, 5000, 3, Precision::double_); },
        [&] { return cpu->predicted_nufft_seconds(design, 5000, 3, Precision::single); },
        [&] { return cpu->predicted_toeplitz_seconds(grid.shape, 3, Precision::single); }};
    for (const auto& prediction : predictions) {
        const TimedWork work = timed_work("", "", 1, prediction);
        EXPECT_EQ(cpu_costs(), CpuCosts());
        EXPECT_NEAR(work.predicted_s(CpuCosts()) / prediction(), 1, 1e-12);
        set_cpu_costs(other_costs());
        EXPECT_NEAR(work.predicted_s(other_costs()) / prediction(), 1, 1e-12);
        set_cpu_costs({});
    }
    EXPECT_EQ(cpu->predicted_toeplitz_seconds(Shape::image({1, 1, 1}), 1, Precision::single), 0);
}

}  // namespace
}  // namespace recon
