#include "app/reconstruction.hpp"

#include <algorithm>
#include <cmath>

#include "app/trajectory_plans.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/mri/coil_maps.hpp"
#include "core/mri/prewhitening.hpp"
#include "core/operator_algebra.hpp"

namespace recon {
namespace {

class Reconstructor {
public:
    Reconstructor(const Scan& scan, Backend& backend, const ReconstructOptions& options,
                  IterationMonitor::Style monitor, StageTimer& timer)
        : scan_(scan), backend_(backend), options_(options), monitor_(monitor), timer_(timer) {}

    FrameResult run(const Frame& frame) {
        FrameResult result;
        result.label = frame.label;
        prepare(frame);
        result.sums = plans_->method();
        const auto coils = std::make_shared<const CoilSensitivity>(coil_sensitivity(frame));
        const Encoding encoding(backend_, {plans_->sums(), coils, plans_->sample_factors_array(), plans_->toeplitz()});

        const Array kspace = uploaded_kspace(frame, plans_->root_weights());
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
            result.accuracy = MeasuredAccuracy{.q = plans_->q_error()};
            measure_encoding({encoding, *frame.trajectory, plans_->sample_factors(), plans_->root_weights(),
                              frame.kspace, plans_->off_resonance_hz(), frame.sample_times_s, fhd},
                             *result.accuracy);
            log_info("measured accuracy against double direct sums: Q {:.1e}, F^H d {:.1e}, normal product {:.1e}",
                     result.accuracy->q, result.accuracy->fhd, result.accuracy->normal);
        }
        return result;
    }

private:
    PerAxis<Index> matrix_size() const { return scan_.geometry.matrix_size; }

    void prepare(const Frame& frame) {
        if (plans_ && plans_->serves(frame)) {
            log_info("trajectory as in the frame before: Q is used again");
            return;
        }
        plans_.reset();  // the memory of the old ones first
        plans_.emplace(scan_, frame, backend_, options_, timer_);
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
        const std::vector<double> weights = plans_->density_weights();
        const auto stage = timer_.stage("coil_maps");
        return CoilSensitivity(estimate_coil_maps(backend_, *plans_->sums(), *frame.trajectory, frame.kspace,
                                                  scan_.coil_count, weights, options_.coil_map_estimate));
    }

    /// factors d on the backend, [sample coil]; no factors mean 1
    Array uploaded_kspace(const Frame& frame, const std::vector<double>& factors) const {
        Array kspace(backend_, Shape::samples(frame.sample_count()).with_axis("coil", scan_.coil_count),
                     options_.precision);
        upload(frame.kspace, kspace);
        if (!factors.empty()) {
            Array factors_array(backend_, Shape::samples(frame.sample_count()), options_.precision);
            upload(std::vector<cdouble>(factors.begin(), factors.end()), factors_array);
            for (Index coil = 0; coil < scan_.coil_count; ++coil) {
                backend_.multiply(Conjugate::no, factors_array, kspace.slice(coil), Accumulate::no, kspace.slice(coil));
            }
        }
        return kspace;
    }

    CgReport solve(const Encoding& encoding, ConstArrayView fhd, ArrayView image) const {
        const auto stage = timer_.stage("cg");
        const Normal normal(encoding);
        const Identity prior(backend_, encoding.domain(), options_.precision);
        const Sum regularised(normal, options_.lambda * plans_->q_centre(), prior);
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
        const std::vector<double>& weights = plans_->pipe_menon();
        const auto stage = timer_.stage("baseline");
        const Encoding plain = encoding.unweighted();
        Array gridded(backend_, plain.domain(), options_.precision);
        plain.adjoint(uploaded_kspace(frame, weights), gridded);
        backend_.scale(1.0 / static_cast<double>(gridded.size()), gridded);
        if (encoding.coils().maps()) {
            Array squared_sensitivity(backend_, plain.domain(), options_.precision);
            backend_.fill(0, squared_sensitivity);
            for (Index coil = 0; coil < encoding.coils().coil_count(); ++coil) {
                const ConstArrayView map = encoding.coils().maps()->slice(coil);
                backend_.multiply(Conjugate::yes, map, map, Accumulate::yes, squared_sensitivity);
            }
            backend_.divide(gridded, squared_sensitivity, gridded);
        }
        return download<float>(gridded);
    }

    const Scan& scan_;
    Backend& backend_;
    const ReconstructOptions& options_;
    IterationMonitor::Style monitor_;
    StageTimer& timer_;
    std::optional<TrajectoryPlans> plans_;
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
