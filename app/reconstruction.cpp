#include "app/reconstruction.hpp"

#include <algorithm>
#include <cmath>

#include "app/shared_decision.hpp"
#include "app/trajectory_plans.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/mri/coil_maps.hpp"
#include "core/mri/prewhitening.hpp"
#include "core/operator_algebra.hpp"
#include "core/run_ranks.hpp"

namespace recon {
namespace {

/// What one rank does.
class Reconstructor {
public:
    Reconstructor(const Scan& scan, Backend& backend, Communicator& ranks, const ReconstructOptions& options,
                  const MemoryPlan& memory, IterationMonitor::Style monitor, StageTimer& timer)
        : scan_(scan),
          backend_(backend),
          division_(ranks, scan.coil_count),
          options_(options),
          memory_(memory),
          monitor_(monitor),
          timer_(timer) {}

    FrameResult run(const Frame& frame) {
        FrameResult result;
        result.label = frame.label;
        result.memory = memory_;
        prepare(frame);
        result.sums = plans_->method();
        std::vector<cfloat> buffer;
        const std::span<const cfloat> own_kspace = division_.part_of_kspace(frame.kspace, buffer);
        const auto coils = std::make_shared<const CoilSensitivity>(coil_sensitivity(own_kspace));
        const Encoding encoding(backend_, {plans_->sums(), coils, plans_->sample_factors_array(), nullptr});
        const Encoding own_toeplitz(backend_, {plans_->sums(), coils_of_normal(coils), nullptr, plans_->toeplitz()});
        const AllReduce toeplitz(own_toeplitz, division_.ranks());

        std::optional<KspaceBatches> kspace = kspace_of(own_kspace, plans_->root_weights());
        Array fhd(backend_, encoding.domain(), options_.precision);
        {
            const auto stage = timer_.stage("fhd");
            encoding_adjoint(encoding, *kspace, fhd);
            division_.ranks().all_reduce_sum(fhd);
            backend_.synchronize();  // or its seconds would be those of the next stage
            log_info("F^H d: {} coils in {:.2f} s", scan_.coil_count, stage.seconds());
        }
        Array image(backend_, encoding.domain(), options_.precision);
        result.cg = solve(toeplitz, fhd, image);
        {
            const auto stage = timer_.stage("data_residual");
            result.data_residual = relative_data_residual(encoding, image, *kspace, division_.ranks());
            kspace.reset();
        }
        result.image = on_first_rank(image);
        if (options_.baseline) {
            result.baseline = gridded_image(own_kspace, encoding);
        }
        if (options_.measure_accuracy) {
            const auto stage = timer_.stage("measured_accuracy");
            result.accuracy = MeasuredAccuracy{.q = plans_->q_error()};
            const std::vector<float> times_s = part_of(frame.sample_times_s, division_.samples(frame.sample_count()));
            measure_encoding({encoding, plans_->trajectory(), plans_->sample_factors(), plans_->root_weights(),
                              own_kspace, plans_->off_resonance_hz(), times_s, fhd, toeplitz, division_.ranks()},
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
        plans_.emplace(scan_, frame, backend_, division_, options_, timer_);
    }

    CoilSensitivity coil_sensitivity(std::span<const cfloat> kspace) {
        const Share coils = division_.coils();
        if (!scan_.coil_maps.empty()) {
            const auto stage = timer_.stage("coil_maps");
            const Shape image = Shape::image(matrix_size());
            const Shape maps_shape = image.with_axis("coil", coils.count);
            const auto own_maps = std::span<const cfloat>(scan_.coil_maps)
                                      .subspan(coils.first * image.element_count(), maps_shape.element_count());
            if (memory_.coil_maps == Residency::streamed) {
                return CoilSensitivity(HostStack(backend_, own_maps, maps_shape));
            }
            Array maps(backend_, maps_shape, options_.precision);
            upload(own_maps, maps);
            return CoilSensitivity(std::move(maps));
        }
        if (scan_.coil_count == 1) {
            return {};
        }
        const std::vector<double> weights = plans_->density_weights();
        const auto stage = timer_.stage("coil_maps");
        return estimate_coil_maps(backend_, *plans_->sums(), plans_->trajectory(), kspace, coils.count, weights,
                                  options_.coil_map_estimate, division_, memory_.kspace, memory_.coil_maps);
    }

    /// The coils of this rank in the normal product; a rank without any takes one that sees nothing.
    std::shared_ptr<const CoilSensitivity> coils_of_normal(const std::shared_ptr<const CoilSensitivity>& coils) const {
        const Share own = division_.coils_of_normal();
        if (own.count == coils->coil_count()) {
            return coils;
        }
        Array map(backend_, Shape::image(matrix_size()).with_axis("coil", 1), options_.precision);
        if (own.count == 0) {
            backend_.fill(0, map);
        } else {
            std::optional<Array> buffer;
            backend_.copy(coils->map(own.first, options_.precision, buffer), map.slice(0));
        }
        return std::make_shared<const CoilSensitivity>(std::move(map));
    }

    /// factors d, [sample coil]; no factors mean 1
    KspaceBatches kspace_of(std::span<const cfloat> own_kspace, std::span<const double> factors) const {
        const Shape samples = Shape::samples(plans_->trajectory().sample_count());
        return {backend_, own_kspace,         samples.with_axis("coil", division_.coils().count),
                factors,  options_.precision, memory_.kspace};
    }

    CgReport solve(const LinearOperator& encoding, ConstArrayView fhd, ArrayView image) const {
        const auto stage = timer_.stage("cg");
        const Normal normal(encoding);
        const Identity prior(backend_, encoding.domain(), options_.precision);
        const Sum regularised(normal, options_.lambda * plans_->q_centre(), prior);
        const LinearOperator& system = options_.lambda > 0 ? static_cast<const LinearOperator&>(regularised) : normal;
        backend_.fill(0, image);
        CgReport report;
        {
            IterationMonitor monitor(options_.cg.iterations, monitor_);
            SharedDecision decision(division_.ranks(), monitor);
            report = solve_cg(system, fhd, image, options_.cg, &decision);
        }
        log_info("cg: {} iterations in {:.2f} s, stopped by {}, relative residual {:.3e} (recomputed {:.3e})",
                 report.iterations, stage.seconds(), report.stopped_by,
                 report.residuals.empty() ? 0.0 : report.residuals.back(), report.true_residual);
        return report;
    }

    /// The image, which all ranks have, for the one whose result counts; none for the others.
    std::vector<cfloat> on_first_rank(ConstArrayView image) const {
        return division_.ranks().rank() == 0 ? download<float>(image) : std::vector<cfloat>();
    }

    /// The baseline: density compensation, gridding, FFT, deapodisation, coil combination [Roemer 1990]; no iteration.
    std::vector<cfloat> gridded_image(std::span<const cfloat> own_kspace, const Encoding& encoding) {
        const std::vector<double> weights = plans_->pipe_menon();
        const auto stage = timer_.stage("baseline");
        const Encoding plain = encoding.unweighted();
        Array gridded(backend_, plain.domain(), options_.precision);
        encoding_adjoint(plain, kspace_of(own_kspace, weights), gridded);
        division_.ranks().all_reduce_sum(gridded);
        backend_.scale(1.0 / static_cast<double>(gridded.size()), gridded);
        if (encoding.coils().has_maps()) {
            Array squared_sensitivity(backend_, plain.domain(), options_.precision);
            backend_.fill(0, squared_sensitivity);
            std::optional<Array> buffer;
            for (Index coil = 0; coil < encoding.coils().coil_count(); ++coil) {
                const ConstArrayView map = encoding.coils().map(coil, options_.precision, buffer);
                backend_.multiply(Conjugate::yes, map, map, Accumulate::yes, squared_sensitivity);
            }
            division_.along_coils().all_reduce_sum(squared_sensitivity);
            backend_.divide(gridded, squared_sensitivity, gridded);
        }
        return on_first_rank(gridded);
    }

    const Scan& scan_;
    Backend& backend_;
    Division division_;
    const ReconstructOptions& options_;
    const MemoryPlan& memory_;
    IterationMonitor::Style monitor_;
    StageTimer& timer_;
    std::optional<TrajectoryPlans> plans_;
};

std::string label_text(const FrameLabel& label) {
    return fmt::format("contrast {}, repetition {}, set {}, slice {}", label.contrast, label.repetition, label.set,
                       label.slice);
}

void prewhiten(Scan& scan, const ReconstructOptions& options) {
    if (scan.noise.empty() || !options.prewhiten) {
        return;
    }
    const Prewhitening whitening(scan.noise, scan.coil_count);
    for (Frame& frame : scan.frames) {
        whitening.apply(frame.kspace);
    }
    whitening.apply(scan.coil_maps);
    log_info("noise scan: {} samples, coils prewhitened", static_cast<Index>(scan.noise.size()) / scan.coil_count);
}

std::vector<FrameResult> reconstruct_frames(const Scan& scan, Backend& backend, Communicator& ranks,
                                            const ReconstructOptions& options, IterationMonitor::Style monitor,
                                            StageTimer& timer) {
    const MemoryPlan memory = plan_memory(scan, backend, options, ranks.size());
    log_info("memory: {}", memory.text());
    backend.memory().set_piece_bytes(memory.piece_bytes);
    backend.memory().restart_peak();
    const MemoryClaim host(backend.memory(), memory.host_bytes);
    Reconstructor reconstructor(scan, backend, ranks, options, memory, monitor, timer);
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

void require_samples_for_all(const Scan& scan, const Team& team) {
    for (const Frame& frame : scan.frames) {
        if (frame.sample_count() < static_cast<Index>(team.ranks.size())) {
            throw UsageError(fmt::format("--device {}: {} devices for {} samples; name fewer", team.name(),
                                         team.ranks.size(), frame.sample_count()));
        }
    }
}

}  // namespace

std::vector<FrameResult> reconstruct(Scan& scan, Backend& backend, const ReconstructOptions& options,
                                     IterationMonitor::Style monitor, StageTimer& timer) {
    prewhiten(scan, options);
    return reconstruct_frames(scan, backend, only_rank(), options, monitor, timer);
}

std::vector<FrameResult> reconstruct(Scan& scan, const Team& team, const ReconstructOptions& options,
                                     IterationMonitor::Style monitor, StageTimer& timer) {
    require_samples_for_all(scan, team);
    prewhiten(scan, options);
    std::vector<FrameResult> results;
    run_ranks(team.ranks, [&](Communicator& rank) {
        StageTimer timer_of_others;
        const bool is_first = rank.rank() == 0;
        std::vector<FrameResult> of_rank =
            reconstruct_frames(scan, team.backend_of(rank), rank, options, monitor, is_first ? timer : timer_of_others);
        if (is_first) {
            results = std::move(of_rank);
        }
    });
    return results;
}

}  // namespace recon
