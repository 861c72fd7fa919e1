#include "app/studies/bench/calibration.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <ctime>
#include <limits>

#include "core/operators/q_kernel.hpp"
#include "data/simulation/random_problem.hpp"
#include "data/simulation/trajectories/trajectory_design.hpp"

namespace recon {
namespace {

double clock_seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What the work takes where no other program runs, whether or not one does: processor time of this thread, which has
/// all that is not shared and its part of what is, or the mean of all threads, if that is more. The least of a few.
double least_seconds(const std::function<void()>& work) {
    constexpr int fewest_calls = 4, most_calls = 25;
    constexpr double enough_s = 0.2;
    double least = std::numeric_limits<double>::infinity();
    double total = 0;
    for (int call = 0; call < fewest_calls || (call < most_calls && total < enough_s); ++call) {
        const double thread = clock_seconds(CLOCK_THREAD_CPUTIME_ID), all = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
        work();
        const double seconds = std::max(clock_seconds(CLOCK_THREAD_CPUTIME_ID) - thread,
                                        (clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - all) / omp_get_max_threads());
        least = std::min(least, seconds);
        total += seconds;
    }
    return least;
}

std::string matrix_text(PerAxis<Index> n) {
    return n[2] > 1 ? fmt::format("{} x {} x {}", n[0], n[1], n[2]) : fmt::format("{} x {}", n[0], n[1]);
}

struct RadialScan {
    Backend& cpu;
    PerAxis<Index> matrix;
    Index coil_count;
    Trajectory trajectory;

    /// Radial: half as many samples as voxels in a volume, as many in a plane.
    RadialScan(Backend& backend, PerAxis<Index> matrix_size, Index coils)
        : cpu(backend), matrix(matrix_size), coil_count(coils) {
        TrajectoryRequest request;
        request.matrix_size = matrix;
        request.samples_per_readout = 2 * matrix[0];
        request.readouts = std::max<Index>(1, matrix[1] * matrix[2] / (matrix[2] > 1 ? 4 : 2));
        trajectory = design_trajectory("radial", request).trajectory;
    }

    double pairs() const { return static_cast<double>(trajectory.sample_count() * matrix[0] * matrix[1] * matrix[2]); }
    std::string size(double tolerance = 0) const {
        return fmt::format("{}, {:.2g} samples, {} coil{}{}", matrix_text(matrix),
                           static_cast<double>(trajectory.sample_count()), coil_count, coil_count > 1 ? "s" : "",
                           tolerance > 0 ? fmt::format(", {:.0e}", tolerance) : "");
    }

    /// Plan and transforms of all coils, or Q, by what sums are chosen or given.
    TimedWork adjoint(std::string work, const VoxelGrid& grid, Index images, const SumsOptions& options) const {
        Array samples = random_array(cpu, Shape::samples(trajectory.sample_count()).with_axis("coil", images),
                                     options.precision, 1);
        Array image(cpu, grid.shape.with_axis("coil", images), options.precision);
        const SumsChoice choice = choose_sums(cpu, options, trajectory.sample_count(), grid, images);
        const double seconds =
            least_seconds([&] { make_fourier_sums(cpu, trajectory, choice)->adjoint(samples, image); });
        return timed_work(std::move(work) + ", " + std::string(choice.method.name()), size(options.tolerance), seconds,
                          [&] { return choice.design->predicted_seconds(cpu); });
    }
    TimedWork fhd(const SumsOptions& options) const {
        return adjoint("F^H d", VoxelGrid::image(matrix), coil_count, options);
    }
    TimedWork q(SumsOptions options) const {
        options.precision = Precision::double_;
        return adjoint("Q", half_of_differences(matrix), 1, options);
    }
    TimedWork plan(double tolerance) const {
        const SumsOptions options{SumsMethod::nufft, tolerance, Precision::single};
        const VoxelGrid grid = VoxelGrid::image(matrix);
        const SumsChoice choice = choose_sums(cpu, options, trajectory.sample_count(), grid, 0);
        const double seconds = least_seconds([&] { make_fourier_sums(cpu, trajectory, choice); });
        return timed_work("NUFFT plan", size(tolerance), seconds,
                          [&] { return choice.design->predicted_seconds(cpu); });
    }
    TimedWork toeplitz() const {
        const Shape shape = Shape::image(matrix);
        Array q(cpu, VoxelGrid::differences(matrix).shape, Precision::single);
        cpu.fill(1, q);
        const Array image = random_array(cpu, shape, Precision::single, 2);
        const Array maps = random_array(cpu, shape.with_axis("coil", coil_count), Precision::single, 3);
        Array result(cpu, shape, Precision::single);
        const auto plan = cpu.make_toeplitz(shape, q, Precision::single);
        const double seconds = least_seconds([&] { plan->apply(image, maps.view(), result); });
        return timed_work("Toeplitz apply", size(), seconds,
                          [&] { return cpu.predicted_toeplitz_seconds(shape, coil_count, Precision::single); });
    }
};

}  // namespace

std::vector<TimedWork> time_parts(Backend& cpu) {
    const auto nufft = [](double tolerance) { return SumsOptions{SumsMethod::nufft, tolerance, Precision::single}; };
    const auto exact = [](Precision p) { return SumsOptions{SumsMethod::exact, 1e-6, p}; };
    std::vector<TimedWork> works;
    for (const auto& [matrix, coils] : {std::pair<PerAxis<Index>, Index>{{100, 100, 1}, 1},
                                        {{200, 200, 1}, 8},
                                        {{40, 40, 40}, 8},
                                        {{72, 72, 72}, 1},
                                        {{108, 108, 108}, 1}}) {
        const RadialScan scan(cpu, matrix, coils);
        for (const double tolerance : {1e-3, 1e-5}) {
            works.push_back(scan.plan(tolerance));
            works.push_back(scan.fhd(nufft(tolerance)));
            works.push_back(scan.q(nufft(tolerance)));
        }
        works.push_back(scan.toeplitz());
    }
    for (const auto& [matrix, coils] :
         {std::pair<PerAxis<Index>, Index>{{64, 64, 1}, 8}, {{16, 16, 16}, 1}, {{24, 24, 24}, 4}}) {
        const RadialScan scan(cpu, matrix, coils);
        works.push_back(scan.fhd(exact(Precision::single)));
        works.push_back(scan.q(exact(Precision::double_)));
    }
    return works;
}

std::vector<TimedWork> time_scans(Backend& cpu) {
    constexpr double most_exact_pairs = 1e9;  // of samples and voxels: others take too long
    std::vector<TimedWork> works;
    for (const auto& [matrix, coils] : {std::pair<PerAxis<Index>, Index>{{128, 128, 1}, 8},
                                        {{256, 256, 1}, 8},
                                        {{64, 64, 64}, 8},
                                        {{128, 128, 128}, 2}}) {
        const RadialScan scan(cpu, matrix, coils);
        for (const SumsMethod method : {SumsMethod::exact, SumsMethod::nufft}) {
            if (method == SumsMethod::nufft || scan.pairs() < most_exact_pairs) {
                works.push_back(scan.q({method, 1e-4, Precision::single}));
                works.push_back(scan.fhd({method, 1e-4, Precision::single}));
            }
        }
        works.push_back(scan.plan(1e-4));
        works.push_back(scan.toeplitz());
    }
    return works;
}

}  // namespace recon
