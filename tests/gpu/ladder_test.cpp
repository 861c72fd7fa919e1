// Every step of the ladder that needs a GPU, against direct sums in double, on sizes that fill no block and no chunk.
#include <algorithm>

#include "gpu/device/device_count.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/support/ladder_problems.hpp"

namespace recon::ladder {
namespace {

class Ladder : public test::OnGpu<> {
protected:
    Devices devices() { return {.cpu = nullptr, .gpus = {&gpu()}, .no_gpu = {}, .tuning = {}}; }

    static Step step_of(const std::string& id) {
        for (const Step& step : gpu_steps()) {
            if (step.id == id) {
                return step;
            }
        }
        throw Error("no step " + id);
    }

    void expect_right(const Step& step, const Devices& devices, const Problem& problem, const std::string& what) {
        if (!step.wrong.empty()) {
            return;
        }
        for (const Sum sum : {Sum::q, Sum::fhd}) {
            const StepRun run = step.run(devices, problem, sum, 2);
            EXPECT_EQ(run.seconds.size(), 2U);
            EXPECT_GT(*std::min_element(run.seconds.begin(), run.seconds.end()), 0);
            EXPECT_LT(test::error_of(run.values, problem, sum), tolerance(step))
                << step.id << ", " << name_of(sum) << what;
        }
    }

    static double tolerance(const Step& step) {
        // Phases up to 12 turns, rounded several times to 24 bits, times 2 pi: 12 x 2^-24 x 2 pi x 2. Hardware
        // functions of a reduced phase are off by 2^-21.4 more; without reduction they round the 12 turns once more,
        // downwards.
        constexpr double single_precision = 1e-5;
        constexpr double unreduced = 4e-5;
        constexpr double ten_bits = 2e-3;  // three factors of 2^-11 each, products added without sign
        return step.id == "separable-tf32" ? ten_bits : step.id == "fasttrig" ? unreduced : single_precision;
    }
};

TEST_F(Ladder, SumsAtVoxelsAnywhere) {
    for (const Step& step : gpu_steps()) {
        if (step.needs_grid) {
            continue;
        }
        for (const Index voxels : {1, 33, 257}) {
            for (const Index samples : {1, 1023, 1025, 2049}) {
                expect_right(step, devices(), test::scattered_problem(voxels, samples, 3),
                             ", " + std::to_string(voxels) + " voxels, " + std::to_string(samples) + " samples");
            }
        }
    }
}

TEST_F(Ladder, SumsOnGrids) {
    for (const PerAxis<Index>& size : {PerAxis<Index>{1, 1, 1}, {33, 1, 1}, {7, 5, 3}, {17, 16, 13}}) {
        for (const Step& step : gpu_steps()) {
            for (const Index samples : {1, 1025}) {
                expect_right(
                    step, devices(), test::grid_problem(size, samples, 5),
                    ", " + std::to_string(size[0]) + " voxels along x, " + std::to_string(samples) + " samples");
            }
        }
    }
}

TEST_F(Ladder, SumsOnHalfOfTheDifferences) {  // as for the image of every step: an origin at the edge
    VoxelGrid half = VoxelGrid::differences({6, 5, 4});
    half.shape = Shape::image({11, 9, 4});
    half.origin[2] = 0;
    Problem problem = Problem::on_grid(half);
    test::add_samples(problem, 300, 7);
    for (const Step& step : gpu_steps()) {
        expect_right(step, devices(), problem, ", half of the differences");
    }
}

TEST_F(Ladder, EveryTuningComputesTheSameSums) {
    const Step step = step_of("multi-voxels");
    const Problem problem = test::scattered_problem(131, 1025, 11);
    for (const int threads : {32, 256, 1024}) {
        for (const Index samples : {1, 100, 2048}) {
            for (const int unroll : {1, 2, 4, 8, 16}) {
                Devices here = devices();
                here.tuning = {threads, samples, unroll};
                expect_right(step, here, problem, ", " + text(here.tuning));
            }
        }
    }
}

TEST_F(Ladder, ATuningThatDoesNotExistIsRefused) {
    const Step step = step_of("multi-voxels");
    Devices here = devices();
    here.tuning = {256, 2048, 3};
    EXPECT_THROW(step.run(here, test::scattered_problem(3, 3, 1), Sum::q, 1), UsageError);
    here.tuning = {256, most_constant_samples + 1, 4};
    EXPECT_THROW(step.run(here, test::scattered_problem(3, 3, 1), Sum::q, 1), UsageError);
}

TEST_F(Ladder, TuningKeepsTheFastestTrial) {
    const Step step = step_of("tune");
    const StepRun run = step.run(devices(), test::scattered_problem(5000, 600, 1), Sum::q, 1);
    ASSERT_TRUE(run.tuning);
    const auto best =
        std::min_element(run.trials.begin(), run.trials.end(),
                         [](const TuningTrial& a, const TuningTrial& b) { return a.seconds < b.seconds; });
    EXPECT_EQ(run.tuning->threads, best->tuning.threads);
    EXPECT_EQ(run.tuning->unroll, best->tuning.unroll);
    EXPECT_EQ(run.trials.size(), 6U * 7 * 5);
}

TEST_F(Ladder, SlabsAreOneImage) {  // more voxels than a slab takes, and a rest
    const Problem problem = test::scattered_problem((Index{1} << 21) + 33, 5, 3);
    const StepRun run = step_of("slabs").run(devices(), problem, Sum::fhd, 1);
    EXPECT_LT(test::error_of(run.values, problem, Sum::fhd), 1e-5);
    EXPECT_NE(run.remark.find("2 slabs"), std::string::npos) << run.remark;
}

TEST_F(Ladder, PlacesOfTheSamplesAreSwept) {
    const StepRun run = step_of("constmem-arrays").run(devices(), test::scattered_problem(5000, 600, 1), Sum::q, 2);
    EXPECT_EQ(run.trials.size(), 3U * 2 * 7);
    for (const TuningTrial& trial : run.trials) {
        EXPECT_FALSE(trial.variant.empty());
        EXPECT_GT(trial.seconds, 0);
    }
}

TEST_F(Ladder, WeightsHaveAKernelOfTheirOwn) {
    const StepRun run = step_of("base-atomic").run(devices(), test::scattered_problem(33, 2049, 3), Sum::fhd, 1);
    EXPECT_NE(run.remark.find("cmpMu alone"), std::string::npos) << run.remark;
}

// Its values are what the race leaves; compute-sanitizer --tool racecheck finds it here, and nothing in shared-whole.
TEST_F(Ladder, TheForgottenBarrierIsALessonAlone) {
    const Step step = step_of("shared-race");
    EXPECT_FALSE(step.wrong.empty());
    EXPECT_EQ(step.run(devices(), test::scattered_problem(257, 2048, 3), Sum::q, 1).values.size(), 257U);
}

TEST_F(Ladder, WordsOfOffChipMemoryAreCountedByHand) {
    const Problem problem = test::scattered_problem(256, 1024, 3);
    const double pairs = problem.pair_count();
    const auto words = [&](const char* id, Sum sum) { return step_of(id).run(devices(), problem, sum, 1).work.words; };
    EXPECT_NEAR(words("base", Sum::q) / pairs, 11, 0.1);
    EXPECT_NEAR(words("regalloc", Sum::q) / pairs, 4, 0.1);
    EXPECT_NEAR(words("regalloc", Sum::fhd) / pairs, 5, 0.1);
    // 256 samples a launch, four launches: positions, sums so far, sums.
    EXPECT_DOUBLE_EQ(words("constmem", Sum::q), 256.0 * (3 * 4 + 2 * 7));
}

TEST_F(Ladder, SeveralGpusComputeTheSums) {
    int count = cuda_device_count();
    if (count < 2) {
        GTEST_SKIP() << "one GPU here; several are needed";
    }
    std::vector<std::unique_ptr<Backend>> backends;
    Devices all{};
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        backends.push_back(make_cuda_backend(ordinal));
        all.gpus.push_back(backends.back().get());
    }
    for (const Step& step : gpu_steps()) {
        if (step.place == Place::gpus) {
            expect_right(step, all, test::scattered_problem(257, 1025, 3), ", all GPUs");
            expect_right(step, all, test::scattered_problem(1, 1, 3), ", more GPUs than work");
        }
    }
}

}  // namespace
}  // namespace recon::ladder
