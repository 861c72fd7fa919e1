// Beyond, on the CPU: on a regular grid exp(i 2 pi k.r) is a product of three factors, one for each axis, and the sum
// becomes a matrix product without a sine inside. Lesson: the algorithm gains more than any tuning of the loop. The
// product's own exact sums (docs/exact-sums.md).
#include "core/backend/backend.hpp"
#include "gpu/ladder/cpu/cpu_steps.hpp"
#include "gpu/ladder/product_steps.hpp"

namespace recon::ladder {
namespace {

StepRun run(const Devices& devices, const Problem& problem, Sum sum, int repeats) {
    Backend& cpu = *devices.cpu;
    const auto sums = cpu.make_exact_sums(trajectory_of(problem), *problem.grid, Precision::single);
    const Array samples = samples_on(cpu, problem, sum, Precision::single);
    Array image(cpu, problem.grid->shape, Precision::single);
    StepRun run = timed_on_cpu(problem, repeats, [&](std::vector<cfloat>&) { sums->adjoint(samples, image); });
    run.values = download<float>(image);
    return run;
}

}  // namespace

Step cpu_separable_step() {
    return {.id = "cpu-separable",
            .title = "CPU beyond: separable factors",
            .change = "a matrix product of factors along the axes instead of a sine and a cosine a pair",
            .bound = "multiply-adds of the matrix product",
            .place = Place::cpu,
            .needs_grid = true,
            .run = run};
}

}  // namespace recon::ladder
