// Where the story starts: one thread of the CPU, the sums as they are written. In double, and in single precision as
// the originals had it. Lesson: a sine and a cosine a pair is what costs, and single precision is hardly faster.
#include <cmath>

#include "gpu/ladder/cpu/cpu_steps.hpp"

namespace recon::ladder {
namespace {

template <class Real, Sum sum>
void serial_sums(const Problem& problem, std::vector<cfloat>& values) {
    const Real two_pi = static_cast<Real>(2 * pi);
    for (Index n = 0; n < problem.voxel_count(); ++n) {
        const Real x = problem.r[0][n], y = problem.r[1][n], z = problem.r[2][n];
        Real re = 0, im = 0;
        for (Index m = 0; m < problem.sample_count(); ++m) {
            const Real phase = two_pi * (problem.k[0][m] * x + problem.k[1][m] * y + problem.k[2][m] * z);
            const Real c = std::cos(phase), s = std::sin(phase);
            if constexpr (sum == Sum::q) {
                re += problem.phi_squared[m] * c;
                im += problem.phi_squared[m] * s;
            } else {
                const Real d_re = problem.phi_conj_data[m].real(), d_im = problem.phi_conj_data[m].imag();
                re += d_re * c - d_im * s;
                im += d_re * s + d_im * c;
            }
        }
        values[n] = {static_cast<float>(re), static_cast<float>(im)};
    }
}

template <class Real>
StepRun run(const Devices&, const Problem& problem, Sum sum, int repeats) {
    return timed_on_cpu(problem, repeats, [&](std::vector<cfloat>& values) {
        sum == Sum::q ? serial_sums<Real, Sum::q>(problem, values) : serial_sums<Real, Sum::fhd>(problem, values);
    });
}

}  // namespace

Step cpu_double_step() {
    return {.id = "cpu-double",
            .title = "CPU, double, one thread",
            .change = "the sums as they are written",
            .bound = "sine and cosine of the C library",
            .place = Place::cpu,
            .run = run<double>};
}

Step cpu_single_step() {
    return {.id = "cpu-single",
            .title = "CPU, single, one thread",
            .change = "single precision, as in the originals",
            .bound = "sine and cosine of the C library",
            .place = Place::cpu,
            .run = run<float>};
}

}  // namespace recon::ladder
