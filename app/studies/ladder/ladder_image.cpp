#include "app/studies/ladder/ladder_image.hpp"

#include <fmt/format.h>

#include "app/studies/ladder/toeplitz_image.hpp"
#include "core/operators/q_kernel.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "gpu/ladder/product_steps.hpp"

namespace recon::ladder {
ImageTask::ImageTask(Index size, Backend& backend) : backend_(backend), matrix_size_{size, size, size} {
    SimulationOptions options;
    options.trajectory = "cones";
    options.request.matrix_size = matrix_size_;
    options.request.readout_oversampling = 1;
    options.request.dwell_time_s = 16e-6;  // about as many samples as voxels
    options.coil_count = 1;
    options.snr = snr;
    const Simulation simulation = simulate_scan(options);
    const Frame& scan = simulation.scan.frames.front();
    problems_[0] = problem_of(*scan.trajectory, scan.kspace, half_of_differences(matrix_size_));
    problems_[1] = problem_of(*scan.trajectory, scan.kspace, VoxelGrid::image(matrix_size_));
    truth_.assign(simulation.truth.begin(), simulation.truth.end());
    const std::vector<cfloat> image = solve(exact_sum(Sum::q), exact_sum(Sum::fhd));
    double_image_.assign(image.begin(), image.end());
    best_ = deviation(image, truth_);
}

std::string ImageTask::description() const {
    return fmt::format("{0} x {0} x {0} voxels of the brain phantom, {1} samples on cones, SNR {2:g}, {3} iterations",
                       matrix_size_[0], problems_[0].sample_count(), snr, iterations);
}

std::vector<cfloat> ImageTask::exact_sum(Sum sum) const {
    const Problem& problem = problems_[sum == Sum::q ? 0 : 1];
    const auto sums = backend_.make_exact_sums(trajectory_of(problem), *problem.grid, Precision::double_);
    Array values(backend_, problem.grid->shape, Precision::double_);
    sums->adjoint(samples_on(backend_, problem, sum, Precision::double_), values);
    return download<float>(values);
}

std::vector<cfloat> ImageTask::solve(const std::vector<cfloat>& half_of_q, const std::vector<cfloat>& fhd) const {
    return toeplitz_image({backend_, matrix_size_, Precision::double_, iterations}, half_of_q, fhd);
}

ImageRecord ImageTask::reconstruct(const Step& step, const Devices& devices) const {
    const StepRun q = step.run(devices, problems_[0], Sum::q, 1);
    const StepRun fhd = step.run(devices, problems_[1], Sum::fhd, 1);
    const std::vector<cfloat> image = solve(q.values, fhd.values);
    return {.skipped = {}, .from_truth = deviation(image, truth_), .from_double = deviation(image, double_image_)};
}

}  // namespace recon::ladder
