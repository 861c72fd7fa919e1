// The ladder's CPU steps, and the texts and bounds that need no GPU.
#include <gtest/gtest.h>

#include <set>

#include "app/studies/ladder/climbing.hpp"
#include "app/studies/ladder/ladder_bound.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "tests/support/ladder_problems.hpp"

namespace recon::ladder {
namespace {

// Phases up to 12 turns, rounded several times to 24 bits and multiplied by 2 pi: 12 x 2^-24 x 2 pi x 2.
constexpr double single_precision = 1e-5;

class CpuSteps : public ::testing::Test {
protected:
    std::unique_ptr<Backend> cpu_ = make_cpu_backend(0);
    Devices devices_{.cpu = cpu_.get(), .gpus = {}, .no_gpu = "none here", .tuning = {}};
};

TEST_F(CpuSteps, SumAtVoxelsAnywhere) {
    for (const Step& step : cpu_steps()) {
        for (const Index voxels : {1, 33, 101}) {
            for (const Index samples : {1, 1023, 1025}) {
                const Problem problem = test::scattered_problem(voxels, samples, 3);
                if (!step.obstacle(devices_, problem).empty()) {
                    EXPECT_TRUE(step.needs_grid) << step.id;
                    continue;
                }
                for (const Sum sum : {Sum::q, Sum::fhd}) {
                    const StepRun run = step.run(devices_, problem, sum, 2);
                    EXPECT_EQ(run.seconds.size(), 2U);
                    EXPECT_LT(test::error_of(run.values, problem, sum), single_precision)
                        << step.id << ", " << name_of(sum) << ", " << voxels << " voxels, " << samples << " samples";
                }
            }
        }
    }
}

TEST_F(CpuSteps, SumOnGrids) {
    for (const PerAxis<Index>& size : {PerAxis<Index>{1, 1, 1}, {33, 1, 1}, {7, 5, 3}}) {
        const Problem problem = test::grid_problem(size, 131, 5);
        for (const Step& step : cpu_steps()) {
            ASSERT_EQ(step.obstacle(devices_, problem), "");
            for (const Sum sum : {Sum::q, Sum::fhd}) {
                EXPECT_LT(test::error_of(step.run(devices_, problem, sum, 1).values, problem, sum), single_precision)
                    << step.id << ", " << name_of(sum) << ", " << size[0] << " voxels along x";
            }
        }
    }
}

TEST_F(CpuSteps, DoubleIsAsGoodAsItsRoundedResult) {
    const Problem problem = test::scattered_problem(50, 500, 9);
    EXPECT_LT(test::error_of(cpu_steps().front().run(devices_, problem, Sum::fhd, 1).values, problem, Sum::fhd), 6e-8);
}

TEST(LadderSteps, SayWhyTheyCannotRun) {
    const Problem scattered = test::scattered_problem(3, 3, 1);
    const Devices nothing{.cpu = nullptr, .gpus = {}, .no_gpu = "none here", .tuning = {}};
    for (const Step& step : all_steps()) {
        if (step.place != Place::cpu) {
            EXPECT_EQ(step.obstacle(nothing, scattered), "none here") << step.id;
        } else if (step.needs_grid) {
            EXPECT_NE(step.obstacle(nothing, scattered).find("grid"), std::string::npos) << step.id;
        }
    }
}

TEST(LadderSteps, HaveNamesAndLessons) {
    std::set<std::string> ids;
    for (const Step& step : all_steps()) {
        EXPECT_TRUE(ids.insert(step.id).second) << step.id;
        EXPECT_FALSE(step.title.empty() || step.change.empty() || step.bound.empty()) << step.id;
    }
    EXPECT_TRUE(ids.contains("cpu-double"));
}

TEST(LadderProblem, PartsKeepWhatBelongsTogether) {
    const Problem problem = test::grid_problem({4, 3, 2}, 7, 1);
    const Problem part = problem.first_voxels(5).first_samples(3);
    EXPECT_EQ(part.voxel_count(), 5);
    EXPECT_EQ(part.sample_count(), 3);
    EXPECT_EQ(part.phi_conj_data.size(), 3U);
    EXPECT_FALSE(part.grid) << "five of 24 voxels are no grid";
    EXPECT_TRUE(problem.first_voxels(24).grid);
    EXPECT_EQ(part.r[1][4], problem.r[1][4]);
}

TEST(LadderBound, IsTheUnitThatNeedsTheMostTime) {
    DeviceCeilings ceilings;
    ceilings.special_functions_per_s = 4e12;
    ceilings.fp32_flops = 60e12;
    Work work;
    work.special_functions = 2e12;
    work.instructions = 9e12;
    const Bound bound = busiest_unit(work, 1.0, ceilings, 1);
    EXPECT_EQ(bound.unit, "special functions");
    EXPECT_DOUBLE_EQ(bound.share, 0.5);
    EXPECT_DOUBLE_EQ(busiest_unit(work, 0.5, ceilings, 2).share, 0.5);  // two devices have twice the units
    work.instructions = 24e12;
    EXPECT_EQ(busiest_unit(work, 1.0, ceilings, 1).unit, "instructions");
    EXPECT_EQ(busiest_unit(Work{}, 1.0, ceilings, 1).share, 0);
}

TEST(LadderDevices, SayWhyThereIsNoneNotWhatToType) {
    const FoundGpus found = find_gpus("auto", 1);
    if (!found.backends.empty()) {
        GTEST_SKIP() << "there is a GPU";
    }
    EXPECT_FALSE(found.none.empty());
    EXPECT_EQ(found.none.find("use `device`"), std::string::npos) << found.none;
}

}  // namespace
}  // namespace recon::ladder
