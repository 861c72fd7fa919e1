#include "app/reconstruction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/mri/coil_maps.hpp"
#include "core/mri/density_compensation.hpp"
#include "core/mri/prewhitening.hpp"
#include "core/operator_algebra.hpp"
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

/// What depends on the trajectory and the weights alone; kept while consecutive frames share them.
struct TrajectoryPlans {
    std::shared_ptr<const Trajectory> trajectory;
    std::vector<float> given_density;
    std::vector<double> pipe_menon;      ///< [sample]; empty until somebody asks
    std::vector<double> root_weights;    ///< sqrt(w), [sample]; empty means 1
    std::vector<double> sample_factors;  ///< g = sqrt(w) phi, [sample]; empty means 1
    SumsMethod method = SumsMethod::nufft;
    std::shared_ptr<const FourierSums> sums;
    std::shared_ptr<const Array> sample_factors_array;
    double q_centre = 0;  ///< Q(0) = sum g^2
    double q_error = 0;   ///< of Q, or of the worst time segment's
    std::shared_ptr<const ToeplitzPlan> toeplitz;
};

class Reconstructor {
public:
    Reconstructor(const Scan& scan, Backend& backend, const ReconstructOptions& options,
                  IterationMonitor::Style monitor, StageTimer& timer)
        : scan_(scan), backend_(backend), options_(options), monitor_(monitor), timer_(timer) {}

    FrameResult run(const Frame& frame) {
        FrameResult result;
        result.label = frame.label;
        prepare(frame);
        result.sums = plans_.method;
        const auto coils = std::make_shared<const CoilSensitivity>(coil_sensitivity(frame));
        const Encoding encoding(backend_, {plans_.sums, coils, plans_.sample_factors_array, plans_.toeplitz});

        const Array kspace = weighted_kspace(frame);
        Array fhd(backend_, encoding.domain(), options_.precision);
        {
            const auto stage = timer_.stage("fhd");
            encoding.adjoint(kspace, fhd);
            log_info("F^H d: {} coils in {:.2f} s", coils->coil_count(), stage.seconds());
        }
        Array image(backend_, encoding.domain(), options_.precision);
        result.cg = solve(encoding, fhd, image);
        {
            const auto stage = timer_.stage("data_residual");
            result.data_residual = relative_data_residual(encoding, image, kspace);
        }
        result.image = download<float>(image);
        if (options_.baseline) {
            result.baseline = gridded_image(frame, encoding);
        }
        if (options_.measure_accuracy) {
            const auto stage = timer_.stage("measured_accuracy");
            result.accuracy = MeasuredAccuracy{.q = plans_.q_error};
            measure_encoding({encoding, *frame.trajectory, plans_.sample_factors, plans_.root_weights, frame.kspace,
                              off_resonance_hz(), frame.sample_times_s, fhd},
                             *result.accuracy);
            log_info("measured accuracy against double direct sums: Q {:.1e}, F^H d {:.1e}, normal product {:.1e}",
                     result.accuracy->q, result.accuracy->fhd, result.accuracy->normal);
        }
        return result;
    }

private:
    PerAxis<Index> matrix_size() const { return scan_.geometry.matrix_size; }

    void prepare(const Frame& frame) {
        if (plans_.trajectory == frame.trajectory && plans_.given_density == frame.density_weights) {
            log_info("trajectory as in the frame before: Q is used again");
            return;
        }
        plans_ = TrajectoryPlans{};
        plans_.trajectory = frame.trajectory;
        plans_.given_density = frame.density_weights;
        make_sample_factors();
        make_sums(frame);
        make_toeplitz(frame);
    }

    void make_sample_factors() {
        const Trajectory& trajectory = *plans_.trajectory;
        const Index sample_count = trajectory.sample_count();
        plans_.q_centre = static_cast<double>(sample_count);
        if (options_.weighting == SampleWeighting::density) {
            plans_.root_weights = density_weights();
            for (double& weight : plans_.root_weights) {
                weight = std::sqrt(weight);
            }
        }
        plans_.sample_factors = plans_.root_weights;
        if (options_.voxel_basis == VoxelBasis::box) {
            plans_.sample_factors.resize(sample_count, 1.0);
            for (Index m = 0; m < sample_count; ++m) {
                plans_.sample_factors[m] *= box_voxel_transform(trajectory, m, matrix_size());
            }
        }
        if (!plans_.sample_factors.empty()) {
            const std::vector<double>& g = plans_.sample_factors;
            plans_.q_centre = std::inner_product(g.begin(), g.end(), g.begin(), 0.0);
            Array array(backend_, Shape::samples(sample_count), options_.precision);
            upload(std::vector<cdouble>(g.begin(), g.end()), array);
            plans_.sample_factors_array = std::make_shared<const Array>(std::move(array));
        }
    }

    /// [x y z]; empty unless it is to be corrected
    std::span<const float> off_resonance_hz() const {
        return options_.correct_off_resonance ? std::span<const float>(scan_.off_resonance_hz)
                                              : std::span<const float>();
    }

    void make_sums(const Frame& frame) {
        const auto stage = timer_.stage("fhd");
        const SumsOptions sums = options_.sums_options();
        const VoxelGrid grid = VoxelGrid::image(matrix_size());
        const SumsChoice choice = choose_sums(backend_, sums, frame.sample_count(), grid, scan_.coil_count);
        plans_.method = choice.method;
        plans_.sums = make_fourier_sums(backend_, *frame.trajectory, grid, choice, sums);
        log_info("F^H d: {}", choice.reason);
        if (!off_resonance_hz().empty()) {
            const TimeSegments segments =
                TimeSegments::fit(FrequencyHistogram::of(off_resonance_hz()), frame.sample_times_s, sums.tolerance);
            log_info("off-resonance: {} time segments, error {:.1e}", segments.count(), segments.error);
            plans_.sums = std::make_shared<SegmentedSums>(backend_, plans_.sums, off_resonance_hz(), segments);
        }
    }

    void make_toeplitz(const Frame& frame) {
        const auto stage = timer_.stage("q");
        std::vector<double> weights = plans_.sample_factors;
        for (double& weight : weights) {
            weight *= weight;
        }
        log_info("Q: {}", choose_q_sums(backend_, frame.sample_count(), matrix_size(), options_.q_options()).reason);
        if (off_resonance_hz().empty()) {
            plans_.toeplitz = toeplitz_of(frame, weights);
        } else {
            plans_.toeplitz = segmented_toeplitz(frame, weights);
        }
        log_info("Q: {} in {:.2f} s", VoxelGrid::differences(matrix_size()).shape.text(), stage.seconds());
    }

    std::unique_ptr<ToeplitzPlan> toeplitz_of(const Frame& frame, const std::vector<double>& weights) {
        const Array q = compute_q(backend_, *frame.trajectory, matrix_size(), weights, options_.q_options());
        auto plan = backend_.make_toeplitz(Shape::image(matrix_size()), q, options_.precision);
        if (options_.measure_accuracy) {
            const double error = measured_q_error(q, *frame.trajectory, matrix_size(), weights);
            plans_.q_error = std::max(plans_.q_error, error);
        }
        return plan;
    }

    std::unique_ptr<ToeplitzPlan> segmented_toeplitz(const Frame& frame, const std::vector<double>& weights) {
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
                             toeplitz_of(frame, segment_weights)});
        }
        return std::make_unique<SegmentedToeplitz>(std::move(parts));
    }

    /// Pipe-Menon weights, computed once a trajectory.
    const std::vector<double>& pipe_menon() {
        if (plans_.pipe_menon.empty()) {
            const auto stage = timer_.stage("density");
            plans_.pipe_menon = pipe_menon_weights(backend_, *plans_.trajectory, matrix_size());
            log_info("density compensation: Pipe-Menon in {:.2f} s", stage.seconds());
        }
        return plans_.pipe_menon;
    }

    /// The scan's own density weights, else Pipe-Menon's.
    std::vector<double> density_weights() {
        return plans_.given_density.empty()
                   ? pipe_menon()
                   : std::vector<double>(plans_.given_density.begin(), plans_.given_density.end());
    }

    CoilSensitivity coil_sensitivity(const Frame& frame) {
        const Shape maps_shape = Shape::image(matrix_size()).with_axis("coil", scan_.coil_count);
        if (!scan_.coil_maps.empty()) {
            const auto stage = timer_.stage("coil_maps");
            Array maps(backend_, maps_shape, options_.precision);
            upload(scan_.coil_maps, maps);
            return CoilSensitivity(std::move(maps));
        }
        if (scan_.coil_count == 1) {
            return {};
        }
        const std::vector<double> weights = density_weights();
        const auto stage = timer_.stage("coil_maps");
        return CoilSensitivity(estimate_coil_maps(backend_, *plans_.sums, *frame.trajectory, frame.kspace,
                                                  scan_.coil_count, weights, options_.coil_map_estimate));
    }

    /// sqrt(w) d on the backend.
    Array weighted_kspace(const Frame& frame) const {
        Array kspace(backend_, Shape::samples(frame.sample_count()).with_axis("coil", scan_.coil_count),
                     options_.precision);
        if (plans_.root_weights.empty()) {
            upload(frame.kspace, kspace);
        } else {
            upload(scaled(frame.kspace, plans_.root_weights), kspace);
        }
        return kspace;
    }

    static std::vector<cfloat> scaled(std::vector<cfloat> kspace, const std::vector<double>& factors) {
        for (std::size_t i = 0; i < kspace.size(); ++i) {
            kspace[i] *= static_cast<float>(factors[i % factors.size()]);
        }
        return kspace;
    }

    CgReport solve(const Encoding& encoding, ConstArrayView fhd, ArrayView image) const {
        const auto stage = timer_.stage("cg");
        const Normal normal(encoding);
        const Identity prior(backend_, encoding.domain(), options_.precision);
        const Sum regularised(normal, options_.lambda * plans_.q_centre, prior);
        const LinearOperator& system = options_.lambda > 0 ? static_cast<const LinearOperator&>(regularised) : normal;
        backend_.fill(0, image);
        CgReport report;
        {
            IterationMonitor monitor(options_.cg.iterations, monitor_);
            report = solve_cg(system, fhd, image, options_.cg, &monitor);
        }
        log_info("cg: {} iterations in {:.2f} s, stopped by {}, relative residual {:.3e} (recomputed {:.3e})",
                 report.iterations, stage.seconds(), report.stopped_by,
                 report.residuals.empty() ? 0.0 : report.residuals.back(), report.true_residual);
        return report;
    }

    double relative_data_residual(const Encoding& encoding, ConstArrayView image, ConstArrayView kspace) const {
        Array predicted(backend_, encoding.codomain(), options_.precision);
        encoding.forward(image, predicted);
        backend_.axpby(-1, kspace, 1, predicted);
        const double data_norm = norm(kspace);
        return data_norm > 0 ? norm(predicted) / data_norm : 0;
    }

    /// The baseline: density compensation, gridding, FFT, deapodisation, coil combination [Roemer 1990]; no iteration.
    std::vector<cfloat> gridded_image(const Frame& frame, const Encoding& encoding) {
        const std::vector<double>& weights = pipe_menon();
        const auto stage = timer_.stage("baseline");
        const Encoding plain = encoding.unweighted();
        Array kspace(backend_, plain.codomain(), options_.precision);
        upload(scaled(frame.kspace, weights), kspace);
        Array gridded(backend_, plain.domain(), options_.precision);
        plain.adjoint(kspace, gridded);
        std::vector<cfloat> image = download<float>(gridded);
        const std::vector<double> sensitivity = squared_sensitivity(encoding.coils());
        const double voxel_count = static_cast<double>(image.size());
        for (std::size_t n = 0; n < image.size(); ++n) {
            const double square = sensitivity.empty() ? 1.0 : sensitivity[n];
            image[n] *= square > 0 ? static_cast<float>(1 / (voxel_count * square)) : 0.0F;
        }
        return image;
    }

    /// sum_c |S_c|^2, [x y z]; empty for one coil of sensitivity 1
    std::vector<double> squared_sensitivity(const CoilSensitivity& coils) const {
        if (!coils.maps()) {
            return {};
        }
        const Shape shape = Shape::image(matrix_size());
        std::vector<double> sum(shape.element_count(), 0.0);
        for (Index coil = 0; coil < coils.coil_count(); ++coil) {
            const std::vector<cfloat> map = download<float>(coils.maps()->slice(coil));
            std::transform(map.begin(), map.end(), sum.begin(), sum.begin(),
                           [](cfloat value, double total) { return total + std::norm(cdouble(value)); });
        }
        return sum;
    }

    const Scan& scan_;
    Backend& backend_;
    const ReconstructOptions& options_;
    IterationMonitor::Style monitor_;
    StageTimer& timer_;
    TrajectoryPlans plans_;
};

std::string label_text(const FrameLabel& label) {
    return fmt::format("contrast {}, repetition {}, set {}, slice {}", label.contrast, label.repetition, label.set,
                       label.slice);
}

void prewhiten(Scan& scan) {
    const Prewhitening whitening(scan.noise, scan.coil_count);
    for (Frame& frame : scan.frames) {
        whitening.apply(frame.kspace);
    }
    whitening.apply(scan.coil_maps);
    log_info("noise scan: {} samples, coils prewhitened", static_cast<Index>(scan.noise.size()) / scan.coil_count);
}

}  // namespace

std::vector<FrameResult> reconstruct(Scan& scan, Backend& backend, const ReconstructOptions& options,
                                     IterationMonitor::Style monitor, StageTimer& timer) {
    if (!scan.noise.empty() && options.prewhiten) {
        prewhiten(scan);
    }
    Reconstructor reconstructor(scan, backend, options, monitor, timer);
    std::vector<FrameResult> results;
    for (const Frame& frame : scan.frames) {
        if (scan.frames.size() > 1) {
            log_info("frame {} of {}: {}", results.size() + 1, scan.frames.size(), label_text(frame.label));
        }
        results.push_back(reconstructor.run(frame));
        const std::vector<cfloat>& image = results.back().image;
        if (!std::all_of(image.begin(), image.end(),
                         [](cfloat v) { return std::isfinite(v.real()) && std::isfinite(v.imag()); })) {
            throw Error(
                "the image holds numbers that are not finite; use --precision double, and check the scan for "
                "extreme values");
        }
    }
    return results;
}

}  // namespace recon
