#include "app/trajectory_plans.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/log.hpp"
#include "core/mri/density_compensation.hpp"
#include "core/operators/measured_accuracy.hpp"
#include "core/operators/off_resonance.hpp"
#include "core/operators/q_kernel.hpp"

namespace recon {
namespace {

/// phi(k) of box voxels: prod sinc(k_d / N_d).
double box_voxel_transform(const Trajectory& trajectory, Index m, PerAxis<Index> matrix_size) {
    double phi = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const double x = pi * trajectory.k[axis][m] / static_cast<double>(matrix_size[axis]);
        phi *= matrix_size[axis] > 1 && x != 0 ? std::sin(x) / x : 1;
    }
    return phi;
}

}  // namespace

TrajectoryPlans::TrajectoryPlans(const Scan& scan, const Frame& frame, Backend& backend,
                                 const ReconstructOptions& options, StageTimer& timer)
    : scan_(scan),
      backend_(backend),
      options_(options),
      timer_(timer),
      trajectory_(frame.trajectory),
      given_density_(frame.density_weights) {
    make_sample_factors();
    make_sums(frame);
    make_toeplitz(frame);
}

void TrajectoryPlans::make_sample_factors() {
    const Trajectory& trajectory = *trajectory_;
    const Index sample_count = trajectory.sample_count();
    q_centre_ = static_cast<double>(sample_count);
    if (options_.weighting == SampleWeighting::density) {
        root_weights_ = density_weights();
        for (double& weight : root_weights_) {
            weight = std::sqrt(weight);
        }
    }
    sample_factors_ = root_weights_;
    if (options_.voxel_basis == VoxelBasis::box) {
        sample_factors_.resize(sample_count, 1.0);
        for (Index m = 0; m < sample_count; ++m) {
            sample_factors_[m] *= box_voxel_transform(trajectory, m, matrix_size());
        }
    }
    if (!sample_factors_.empty()) {
        const std::vector<double>& g = sample_factors_;
        q_centre_ = std::inner_product(g.begin(), g.end(), g.begin(), 0.0);
        Array array(backend_, Shape::samples(sample_count), options_.precision);
        upload(std::vector<cdouble>(g.begin(), g.end()), array);
        sample_factors_array_ = std::make_shared<const Array>(std::move(array));
    }
}

std::span<const float> TrajectoryPlans::off_resonance_hz() const {
    return options_.correct_off_resonance ? std::span<const float>(scan_.off_resonance_hz) : std::span<const float>();
}

void TrajectoryPlans::make_sums(const Frame& frame) {
    const auto stage = timer_.stage("fhd");
    const SumsOptions sums = options_.sums_options();
    const VoxelGrid grid = VoxelGrid::image(matrix_size());
    const SumsChoice choice = choose_sums(backend_, sums, frame.sample_count(), grid, scan_.coil_count);
    method_ = choice.method;
    sums_ = make_fourier_sums(backend_, *trajectory_, grid, choice, sums);
    log_info("F^H d: {}", choice.reason);
    if (!off_resonance_hz().empty()) {
        const TimeSegments segments =
            TimeSegments::fit(FrequencyHistogram::of(off_resonance_hz()), frame.sample_times_s, sums.tolerance);
        log_info("off-resonance: {} time segments, error {:.1e}", segments.count(), segments.error);
        sums_ = std::make_shared<SegmentedSums>(backend_, sums_, off_resonance_hz(), segments);
    }
}

void TrajectoryPlans::make_toeplitz(const Frame& frame) {
    const auto stage = timer_.stage("q");
    std::vector<double> weights = sample_factors_;
    for (double& weight : weights) {
        weight *= weight;
    }
    log_info("Q: {}", choose_q_sums(backend_, frame.sample_count(), matrix_size(), options_.q_options()).reason);
    if (off_resonance_hz().empty()) {
        toeplitz_ = toeplitz_of(weights);
    } else {
        toeplitz_ = segmented_toeplitz(frame, weights);
    }
    log_info("Q: {} in {:.2f} s", VoxelGrid::differences(matrix_size()).shape.text(), stage.seconds());
}

std::unique_ptr<ToeplitzPlan> TrajectoryPlans::toeplitz_of(const std::vector<double>& weights) {
    const Array q = compute_q(backend_, *trajectory_, matrix_size(), weights, options_.q_options());
    auto plan = backend_.make_toeplitz(Shape::image(matrix_size()), q, options_.precision);
    if (options_.measure_accuracy) {
        const double error = measured_q_error(q, *trajectory_, matrix_size(), weights);
        q_error_ = std::max(q_error_, error);
    }
    return plan;
}

std::unique_ptr<ToeplitzPlan> TrajectoryPlans::segmented_toeplitz(const Frame& frame,
                                                                  const std::vector<double>& weights) {
    const TimeSegments segments = TimeSegments::fit(FrequencyHistogram::of(off_resonance_hz()).differences(),
                                                    frame.sample_times_s, options_.sums_options().tolerance);
    log_info("off-resonance: {} Toeplitz kernels, error {:.1e}", segments.count(), segments.error);
    std::vector<SegmentedToeplitz::Segment> parts;
    for (Index l = 0; l < segments.count(); ++l) {
        std::vector<double> segment_weights(frame.sample_count());
        for (Index m = 0; m < frame.sample_count(); ++m) {  // b is real: the differences are symmetric about zero
            segment_weights[m] = segments.interpolator[l][m].real() * (weights.empty() ? 1 : weights[m]);
        }
        parts.push_back({off_resonance_phase(backend_, Shape::image(matrix_size()), off_resonance_hz(),
                                             segments.centre_s[l], options_.precision),
                         toeplitz_of(segment_weights)});
    }
    return std::make_unique<SegmentedToeplitz>(std::move(parts));
}

const std::vector<double>& TrajectoryPlans::pipe_menon() {
    if (pipe_menon_.empty()) {
        const auto stage = timer_.stage("density");
        pipe_menon_ = pipe_menon_weights(backend_, *trajectory_, matrix_size());
        log_info("density compensation: Pipe-Menon in {:.2f} s", stage.seconds());
    }
    return pipe_menon_;
}

std::vector<double> TrajectoryPlans::density_weights() {
    return given_density_.empty() ? pipe_menon() : std::vector<double>(given_density_.begin(), given_density_.end());
}

}  // namespace recon
