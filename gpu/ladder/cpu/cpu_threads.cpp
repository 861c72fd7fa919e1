// The fair CPU: all threads, a sine and a cosine by polynomials in the lanes of the vector unit, the phase reduced
// before its sine is taken. Lesson: measure a GPU against this, not against one thread of scalar code. The sums are the
// product's own for voxels anywhere (core/backend/cpu/cpu_position_sums.cpp).
#include "core/backend/backend.hpp"
#include "gpu/ladder/cpu/cpu_steps.hpp"
#include "gpu/ladder/product_steps.hpp"

namespace recon::ladder {
namespace {

StepRun run(const Devices& devices, const Problem& problem, Sum sum, int repeats) {
    Backend& cpu = *devices.cpu;
    const auto sums = cpu.make_position_sums(trajectory_of(problem), positions_of(problem), Precision::single);
    const Array samples = samples_on(cpu, problem, sum, Precision::single);
    Array result(cpu, Shape{{"voxel", problem.voxel_count()}}, Precision::single);
    StepRun run = timed_on_cpu(problem, repeats, [&](std::vector<cfloat>&) { sums->adjoint(samples, result); });
    run.values = download<float>(result);
    return run;
}

}  // namespace

Step cpu_threads_step() {
    return {.id = "cpu-threads",
            .title = "CPU, single, vectors and threads",
            .change = "eight or sixteen pairs at a time in every core, polynomials for sine and cosine",
            .bound = "multiply-adds of the polynomials",
            .place = Place::cpu,
            .run = run};
}

}  // namespace recon::ladder
