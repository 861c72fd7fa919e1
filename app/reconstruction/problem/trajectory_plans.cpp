#include "app/reconstruction/problem/trajectory_plans.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/log.hpp"
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

bool are_alike(const std::vector<double>& values) {
    return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

constexpr double check_share_of_run = 0.01;  // of the check of Q; that of a frame takes another 0.02

}  // namespace

TrajectoryPlans::TrajectoryPlans(const ReconstructionContext& context, const Frame& frame)
    : context_(context),
      host_(context.backend.claim_on_host(8 * sizeof(double) * static_cast<std::size_t>(frame.sample_count()))),
      whole_trajectory_(frame.trajectory),
      given_density_(frame.density_weights),
      sample_times_s_(frame.sample_times_s),
      off_resonance_(context.off_resonance(frame.label.slice)),
      samples_(context.division.samples(frame.sample_count())),
      q_samples_(share_of(frame.sample_count(), context.ranks())),
      trajectory_(part_of(frame.trajectory, samples_)) {
    const std::vector<double> factors = make_sample_factors();
    const Index sample_count = frame.sample_count();
    const std::optional<FrameSums>& planned = context.memory.sums;
    FrameSums sums = planned && planned->sample_count == sample_count
                         ? *planned
                         : FrameSums::choose(context.backend, context.options, context.matrix_size(), sample_count,
                                             context.scan.coil_count);
    if (planned && !planned->beside_noise) {
        sums.beside_noise.reset();  // for which there may be no memory
    }
    least_run_seconds_ = sums.q.seconds + 2 * sums.image.seconds +
                         context.backend.predicted_toeplitz_seconds(context.image_shape(), context.scan.coil_count,
                                                                    context.options.precision);
    make_sums(frame, sums);
    make_toeplitz(frame, sums.q, factors);
}

/// g of all samples; keeps those of this rank.
std::vector<double> TrajectoryPlans::make_sample_factors() {
    const Index sample_count = whole_trajectory_->sample_count();
    std::vector<double> factors;
    if (context_.options.weighting == SampleWeighting::density) {
        factors = whole_fit_weights();
        if (context_.backend.computes() && are_alike(factors)) {
            factors.clear();  // as none, but for a unit that cancels
        }
        for (double& weight : factors) {
            weight = std::sqrt(weight);
        }
        root_weights_ = own(factors, samples_);
    }
    const std::vector<double> roots = factors;
    if (context_.options.voxel_basis == VoxelBasis::box) {
        factors.resize(static_cast<std::size_t>(context_.backend.listed(sample_count)), 1.0);
        for (std::size_t m = 0; m < factors.size(); ++m) {
            factors[m] *= box_voxel_transform(*whole_trajectory_, static_cast<Index>(m), context_.matrix_size());
        }
    }
    if (!factors.empty()) {
        q_centre_ = std::inner_product(factors.begin(), factors.end(), factors.begin(), 0.0);
        for (std::size_t m = 0; m < factors.size(); ++m) {
            const double root = roots.empty() ? 1 : roots[m];
            unweighted_q_centre_ += root > 0 ? std::pow(factors[m] / root, 2) : 0;
        }
        sample_factors_ = own(factors, samples_);
        Array array(context_.backend, Shape::samples(samples_.count), context_.options.precision);
        upload(std::vector<cdouble>(sample_factors_.begin(), sample_factors_.end()), array);
        sample_factors_array_ = std::make_shared<const Array>(std::move(array));
    } else {
        q_centre_ = unweighted_q_centre_ = static_cast<double>(sample_count);
    }
    return factors;
}

bool TrajectoryPlans::off_resonance_is_exact() const {
    return !off_resonance().empty() && context_.options.off_resonance.method == OffResonanceMethod::exact;
}

void TrajectoryPlans::make_sums(const Frame& frame, const FrameSums& choice) {
    const auto stage = context_.run.stage(Stage::adjoint);
    if (off_resonance_is_exact()) {
        make_exact_off_resonance_sums(frame);
        sums_beside_noise_ = sums_;
        return;
    }
    method_ = choice.image.method;
    log_info("F^H d: {}", choice.image.reason);
    std::optional<TimeSegments> segments;
    std::optional<MemoryClaim> on_host;
    if (!off_resonance().empty()) {
        segments = context_.backend.computes()
                       ? TimeSegments::fit(RateHistogram::of(off_resonance()), frame.sample_times_s,
                                           context_.options.sums_options().tolerance)
                       : TimeSegments::unfitted(context_.memory.sums.value().segment_count);
        on_host.emplace(claim_interpolators(*segments));
        log_info("off-resonance: {} time segments, error {:.1e}", segments->count(), segments->error);
        for (std::vector<cdouble>& interpolator : segments->interpolator) {
            interpolator = own(interpolator, samples_);
        }
    }
    sums_ = sums_of(choice.image, segments);
    sums_beside_noise_ = sums_;
    if (choice.beside_noise) {
        log_info("residual: {}", choice.beside_noise->reason);
        sums_beside_noise_ = sums_of(*choice.beside_noise, segments);
    }
}

std::shared_ptr<const FourierSums> TrajectoryPlans::sums_of(const SumsChoice& choice,
                                                            const std::optional<TimeSegments>& segments) {
    std::shared_ptr<const FourierSums> sums = make_fourier_sums(context_.backend, *trajectory_, choice);
    return segments ? std::make_shared<SegmentedSums>(context_.backend, std::move(sums), off_resonance(), *segments)
                    : sums;
}

void TrajectoryPlans::make_exact_off_resonance_sums(const Frame& frame) {
    method_ = SumsMethod::exact;
    sums_ = context_.backend.make_off_resonance_sums(*trajectory_, VoxelGrid::image(context_.matrix_size()),
                                                     part_of(frame.sample_times_s, samples_), off_resonance(),
                                                     context_.options.precision);
    log_info("off-resonance: exact, one exponential for each sample and voxel; {:.2g} pairs",
             static_cast<double>(frame.sample_count()) * static_cast<double>(context_.image_shape().element_count()));
}

/// @param weights  g of all samples
void TrajectoryPlans::make_toeplitz(const Frame& frame, const SumsChoice& choice, std::vector<double> weights) {
    if (off_resonance_is_exact()) {
        return;
    }
    const auto stage = context_.run.stage(Stage::q);
    weights = own(weights, q_samples_);
    for (double& weight : weights) {
        weight *= weight;
    }
    const auto trajectory = part_of(whole_trajectory_, q_samples_);
    log_info("Q: {}", choice.reason);
    if (off_resonance().empty()) {
        toeplitz_ = toeplitz_of(*trajectory, weights, choice);
    } else {
        toeplitz_ = segmented_toeplitz(frame, *trajectory, weights, choice);
    }
    log_info("Q: {} in {:.2f} s{}", VoxelGrid::differences(context_.matrix_size()).shape.text(), stage.seconds(),
             q_origin_ == QOrigin::read ? ", read from " + context_.options.q_cache.folder : "");
}

std::unique_ptr<ToeplitzPlan> TrajectoryPlans::toeplitz_of(const Trajectory& trajectory,
                                                           const std::vector<double>& weights, const SumsChoice& choice,
                                                           std::optional<Array> modulation) {
    CachedQ cached = cached_q(context_.options.q_cache, context_.backend, trajectory, context_.matrix_size(), weights,
                              choice, context_.options.q_options(), context_.ranks());
    q_origin_ = std::min(q_origin_.value_or(cached.origin), cached.origin);
    Array& q = cached.q;
    auto plan =
        context_.backend.make_toeplitz(context_.image_shape(), q, context_.options.precision, std::move(modulation));
    if (context_.options.measure_accuracy) {
        const double error = measured_q_error(q, trajectory, context_.matrix_size(), weights,
                                              check_share_of_run * least_run_seconds_, context_.ranks());
        q_error_ = std::max(q_error_, error);
    }
    if (context_.options.needs_circulant()) {
        if (q_) {  // the time segments' interpolators add up to 1
            context_.backend.axpby(1, q, 1, *q_);
        } else {
            q_.emplace(std::move(q));
        }
    }
    return plan;
}

std::unique_ptr<ToeplitzPlan> TrajectoryPlans::segmented_toeplitz(const Frame& frame, const Trajectory& trajectory,
                                                                  const std::vector<double>& weights,
                                                                  const SumsChoice& choice) {
    const TimeSegments segments =
        context_.backend.computes() ? TimeSegments::fit(RateHistogram::of_pairs(off_resonance()), frame.sample_times_s,
                                                        context_.options.tolerance_beside_noise())
                                    : TimeSegments::unfitted(context_.memory.sums.value().kernel_count);
    const MemoryClaim on_host = claim_interpolators(segments);
    log_info("off-resonance: {} Toeplitz kernels, error {:.1e}", segments.count(), segments.error);
    return recon::segmented_toeplitz(context_.backend, context_.image_shape(), off_resonance(), segments, weights,
                                     q_samples_.first, q_samples_.count, context_.options.precision,
                                     [&](const std::vector<double>& of_segment, Array modulation) {
                                         return toeplitz_of(trajectory, of_segment, choice, std::move(modulation));
                                     });
}

MemoryClaim TrajectoryPlans::claim_interpolators(const TimeSegments& segments) const {
    return context_.backend.claim_on_host(
        static_cast<std::size_t>(segments.count() * whole_trajectory_->sample_count()) * sizeof(cdouble));
}

/// Every rank iterates on the whole trajectory: equal devices get equal weights.
const std::vector<double>& TrajectoryPlans::whole_pipe_menon() {
    if (whole_pipe_menon_.empty()) {
        const auto stage = context_.run.stage(Stage::density);
        whole_pipe_menon_ = pipe_menon_weights(context_.backend, *whole_trajectory_, context_.matrix_size());
        log_info("density compensation: Pipe-Menon in {:.2f} s", stage.seconds());
    }
    return whole_pipe_menon_;
}

/// The prior of the scan knows the noise, which is alike in all samples: densities decide only which of them are used.
std::vector<double> TrajectoryPlans::whole_fit_weights() {
    if (context_.options.regularisation.scan == ScanPrior::none) {
        return whole_density_weights();
    }
    std::vector<double> weights(given_density_.begin(),
                                given_density_.begin() + context_.backend.listed(std::ssize(given_density_)));
    for (double& weight : weights) {
        weight = weight > 0 ? 1 : 0;
    }
    return weights;
}

std::vector<double> TrajectoryPlans::whole_density_weights() {
    if (given_density_.empty()) {
        return whole_pipe_menon();
    }
    return {given_density_.begin(), given_density_.begin() + context_.backend.listed(std::ssize(given_density_))};
}

}  // namespace recon
