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

    void expect_right(const Step& step, const Devices& devices, const Problem& problem, const std::string& what) {
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
    const std::vector<Step> steps = gpu_steps();
    const auto step =
        std::find_if(steps.begin(), steps.end(), [](const Step& each) { return each.id == "multi-voxels"; });
    ASSERT_NE(step, steps.end());
    const Problem problem = test::scattered_problem(131, 1025, 11);
    for (const int threads : {32, 256, 1024}) {
        for (const Index samples : {1, 100, 2048}) {
            for (const int unroll : {1, 2, 4, 8}) {
                Devices here = devices();
                here.tuning = {threads, samples, unroll};
                expect_right(*step, here, problem, ", " + text(here.tuning));
            }
        }
    }
}

TEST_F(Ladder, ATuningThatDoesNotExistIsRefused) {
    const std::vector<Step> steps = gpu_steps();
    const auto step =
        std::find_if(steps.begin(), steps.end(), [](const Step& each) { return each.id == "multi-voxels"; });
    Devices here = devices();
    here.tuning = {256, 2048, 3};
    EXPECT_THROW(step->run(here, test::scattered_problem(3, 3, 1), Sum::q, 1), UsageError);
    here.tuning = {256, most_constant_samples + 1, 4};
    EXPECT_THROW(step->run(here, test::scattered_problem(3, 3, 1), Sum::q, 1), UsageError);
}

TEST_F(Ladder, TuningKeepsTheFastestTrial) {
    const std::vector<Step> steps = gpu_steps();
    const auto step = std::find_if(steps.begin(), steps.end(), [](const Step& each) { return each.id == "tune"; });
    const StepRun run = step->run(devices(), test::scattered_problem(5000, 600, 1), Sum::q, 1);
    ASSERT_TRUE(run.tuning);
    const auto best =
        std::min_element(run.trials.begin(), run.trials.end(),
                         [](const TuningTrial& a, const TuningTrial& b) { return a.seconds < b.seconds; });
    EXPECT_EQ(run.tuning->threads, best->tuning.threads);
    EXPECT_EQ(run.tuning->unroll, best->tuning.unroll);
    EXPECT_EQ(run.trials.size(), 5U * 4 * 4);
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
