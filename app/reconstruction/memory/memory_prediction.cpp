#include "app/reconstruction/memory/memory_prediction.hpp"

#include <algorithm>
#include <set>

#include "app/reconstruction/coils/coil_preparation.hpp"
#include "app/reconstruction/frames/frame_series.hpp"
#include "app/reconstruction/memory/prior_memory.hpp"
#include "app/reconstruction/memory/scan_prior_memory.hpp"
#include "app/reconstruction/problem/data_residual.hpp"
#include "core/base/available_memory.hpp"
#include "core/fourier/time_segments.hpp"
#include "core/mri/density_compensation.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"
#include "core/operators/q_kernel.hpp"
#include "solver/lambda/lambda_selection.hpp"

namespace recon {
namespace {

/// Scalars, partial sums, tables of short transforms.
constexpr std::size_t small_bytes = std::size_t{512} << 10;

/// Of the program, where its memory is the backend's.
std::size_t resident_bytes_beside_books(const Backend& backend) {
    const std::size_t resident = backend.memory_is_host() ? resident_memory_bytes() : 0;
    return resident - std::min(resident, backend.memory().in_use());
}

Index largest_share(Index total, Index rank_count) { return (total + rank_count - 1) / rank_count; }

/// Adds up what lives at a time, stage by stage.
class Ledger {
public:
    explicit Ledger(std::size_t held) : held_(held) {}
    void hold(std::size_t bytes) { held_ += bytes; }
    void release(std::size_t bytes) { held_ -= bytes; }
    /// `bytes` more for the duration of a stage.
    void pass(const char* stage, std::size_t bytes) { stages_.push_back({stage, held_ + bytes}); }
    std::vector<MemoryStage> stages() && { return std::move(stages_); }

private:
    std::size_t held_;
    std::vector<MemoryStage> stages_;
};

}  // namespace

MemoryPrediction::MemoryPrediction(const Scan& scan, const Backend& backend, const ReconstructOptions& options,
                                   Index rank_count)
    : backend_(backend),
      options_(options),
      matrix_size_(scan.geometry.matrix_size),
      coil_count_(scan.coil_count >= rank_count ? largest_share(scan.coil_count, rank_count) : scan.coil_count),
      copies_map_(scan.coil_count < rank_count),
      given_coil_maps_(!scan.coil_maps.empty()),
      held_bytes_(resident_bytes_beside_books(backend)) {
    const Frame* largest = &scan.frames.front();
    for (const Frame& frame : scan.frames) {
        given_density_ = given_density_ && !frame.density_weights.empty();
        largest = frame.sample_count() > largest->sample_count() ? &frame : largest;
    }
    whole_sample_count_ = largest->sample_count();
    const OffResonanceMaps off_resonance = options.maps_to_correct(scan);
    if (estimates_coil_maps(scan, options.coils)) {
        estimation_.emplace(*largest, matrix_size_, scan.coil_count, options.coils, off_resonance);
        std::set<Index> slices;
        for (const Frame& frame : scan.frames) {
            slices.insert(frame.label.slice);
        }
        estimated_maps_bytes_ =
            slices.size() * Shape::image(matrix_size_).element_count() * scan.coil_count * sizeof(cfloat);
    }
    q_sample_count_ = largest_share(whole_sample_count_, rank_count);
    sample_count_ = scan.coil_count >= rank_count ? whole_sample_count_ : q_sample_count_;
    const SumsOptions sums = options.sums_options();
    const VoxelGrid grid = VoxelGrid::image(matrix_size_);
    frame_sums_ = FrameSums::choose(backend, options, matrix_size_, whole_sample_count_, scan.coil_count);
    sums_.emplace(backend, frame_sums_.image, sample_count_);
    q_sums_.emplace(backend, frame_sums_.q, q_sample_count_);
    exact_off_resonance_ = !off_resonance.empty() && options.off_resonance.method == OffResonanceMethod::exact;
    if (!off_resonance.empty() && !exact_off_resonance_) {
        const std::span<const float> times = largest->sample_times_s;
        sums_segments_ = TimeSegments::fit(RateHistogram::of(off_resonance), times, sums.tolerance).count();
        toeplitz_segments_ = TimeSegments::fit(RateHistogram::of_pairs(off_resonance), times, sums.tolerance).count();
    }
    // To what there is now come weights and factors in double, beside copies of them on their way to the backend;
    // interpolators of segments.
    const std::size_t of_samples =
        whole_sample_count_ * (8 * sizeof(double) + std::max(sums_segments_, toeplitz_segments_) * sizeof(cdouble));
    const std::size_t of_images = (options.baseline ? 2 : 1) * grid.shape.element_count() * sizeof(cfloat);
    if (options.regularisation.coupling_term()) {
        frames_at_once_ = most_frames_of_a_slice(scan);
        trajectories_at_once_ = most_trajectories_of_a_slice(scan);
    }
    prior_memory_ = prior_memory(options, matrix_size_, frames_at_once_);
    // The draws of noise that choose lambda, whole and this rank's; spectra of a preconditioner on their way to it.
    const std::size_t of_lambda =
        options.regularisation.chooses_lambda() ? 2 * whole_sample_count_ * scan.coil_count * sizeof(cfloat) : 0;
    const std::size_t of_preconditioner =
        options.preconditioner != PreconditionerKind::none || options.needs_circulant()
            ? circulant_host_bytes(matrix_size_)
            : 0;
    host_bytes_ = held_bytes_ + of_samples + of_lambda + of_preconditioner + (scan.frames.size() + 1) * of_images +
                  prior_memory_.host +
                  scan_prior_bytes(backend, options, matrix_size_, sample_count_,
                                   Encoding::coils_at_once(grid.shape, sample_count_, coil_count_, options.precision,
                                                           MemoryBudget::unlimited),
                                   MemoryBudget::unlimited)
                      .host +
                  frames_at_once_ * (kspace_bytes_to_load(scan) + prior_memory_.host_of_frame);
}

Index MemoryPrediction::coils_at_once(const MemoryPieces& pieces) const {
    return Encoding::coils_at_once(Shape::image(matrix_size_), sample_count_, coil_count_, options_.precision,
                                   pieces.piece_bytes);
}

Index MemoryPrediction::streamed_coils_at_once(const MemoryPieces& pieces) const {
    return CoilSensitivity::streamed_coils_at_once(Shape::image(matrix_size_), coil_count_, options_.precision,
                                                   pieces.piece_bytes);
}

std::vector<MemoryStage> MemoryPrediction::stages(const MemoryPieces& pieces) const {
    const std::size_t piece = pieces.piece_bytes;
    const std::size_t complex = complex_bytes(options_.precision);
    const VoxelGrid grid = VoxelGrid::image(matrix_size_);
    const std::size_t image = grid.shape.element_count() * complex;
    const std::size_t samples = sample_count_ * complex;
    const std::size_t coils = coil_count_;
    const std::size_t batch = coils_at_once(pieces);
    const bool streams_maps = has_coil_maps() && pieces.coil_maps == Residency::streamed;
    const bool streams_kspace = pieces.kspace == Residency::streamed;
    const bool has_factors = options_.weighting == SampleWeighting::density || options_.voxel_basis == VoxelBasis::box;
    const auto conversion = [&](std::size_t bytes) { return backend_.plan_sizes().conversion(bytes, piece); };
    const std::size_t sample_upload = conversion(sample_count_ * sizeof(cdouble));
    const bool grids = options_.baseline || options_.start == StartImage::gridded ||
                       (options_.regularisation.chooses_lambda() && !given_density_ &&
                        options_.regularisation.lambda.method == LambdaMethod::image);
    const bool needs_density = grids || (!given_density_ && options_.weighting == SampleWeighting::density);
    const std::size_t density =
        needs_density ? pipe_menon_bytes(backend_, whole_sample_count_, matrix_size_, piece) : 0;

    Ledger ledger((backend_.memory_is_host() ? host_bytes_ : 0) + small_bytes);
    if (options_.weighting == SampleWeighting::density && !given_density_) {
        ledger.pass("density compensation", density);
    }
    if (has_factors) {
        ledger.hold(samples);
        ledger.pass("sample factors", sample_upload);
    }

    PlanBytes sums = exact_off_resonance_
                         ? backend_.plan_sizes().off_resonance_sums(grid, sample_count_, static_cast<Index>(batch),
                                                                    options_.precision, piece)
                         : sums_->bytes(static_cast<Index>(batch), piece);
    if (sums_segments_ > 0) {
        sums.held += sums_segments_ * (image + samples);
        sums.making += std::max(sample_upload, conversion(grid.shape.element_count() * sizeof(cdouble)));
        sums.running += batch * (image + samples);
    }
    ledger.hold(sums.held);
    ledger.pass("F^H d", sums.making);

    const SumsOptions q_options = options_.q_options();
    const std::size_t q_bytes =
        VoxelGrid::differences(matrix_size_).shape.element_count() * complex_bytes(q_options.precision);
    const auto toeplitz_plans = [&](Index count) {
        return count == 0 ? PlanBytes{}
                          : backend_.plan_sizes().toeplitz(grid.shape,
                                                           streams_maps ? streamed_coils_at_once(pieces) : coil_count_,
                                                           options_.precision, q_options.precision, piece, count);
    };
    const Index plan_count = exact_off_resonance_ ? 0 : std::max<Index>(1, toeplitz_segments_);
    const PlanBytes toeplitz = toeplitz_plans(plan_count);
    if (frames_at_once_ > 1) {  // what the frames before the last one hold, and the series
        const std::size_t kspace_of_frame = (streams_kspace ? batch : coils) * samples;
        const std::size_t plans = sums.held + (has_factors ? samples : 0) + toeplitz.held + toeplitz_segments_ * image;
        const bool masked = options_.regularisation.images->mask.has_value();
        ledger.hold((trajectories_at_once_ - 1) * plans + 3 * frames_at_once_ * image +
                    (frames_at_once_ - 1) * (kspace_of_frame + (masked ? 2 : 1) * image));
        ledger.pass("F^H d", sums.making);
    }
    for (Index plan = 0; plan < plan_count; ++plan) {
        if (toeplitz_segments_ > 0) {
            ledger.hold(image);
        }
        ledger.pass(
            "Q", compute_q_bytes(*q_sums_, q_sample_count_, matrix_size_, q_options.precision, piece) + sample_upload);
        ledger.hold(toeplitz_plans(plan + 1).held - toeplitz_plans(plan).held);
        const std::size_t modulation_on_its_way = toeplitz_segments_ > 0 ? image : 0;
        ledger.pass("Q", q_bytes + toeplitz_plans(plan + 1).making + modulation_on_its_way);
        if (plan == 0 && options_.needs_circulant()) {
            ledger.hold(q_bytes);  // kept for its spectrum
        }
    }

    const std::size_t map_buffer = streams_maps ? image : 0;
    const std::size_t kspace_held = (streams_kspace ? batch : coils) * samples;
    if (estimation_) {
        const bool on_host = backend_.memory_is_host();
        ledger.hold(on_host ? estimated_maps_bytes_ : 0);
        ledger.pass("coil maps",
                    estimation_->backend_bytes(backend_, piece) + (on_host ? estimation_->host_bytes() : 0));
    }
    if (has_coil_maps() && !streams_maps) {
        ledger.hold(coils * image);
        ledger.pass("coil maps", conversion(coils * image / 2));
    }

    ledger.hold(copies_map_ ? image : 0);
    const std::size_t weights = options_.weighting == SampleWeighting::density ? samples : 0;
    const std::size_t weighted_batch = has_factors ? batch * samples : 0;
    ledger.hold(kspace_held + weights);
    ledger.pass("k-space", std::max(sample_upload, conversion(kspace_held)));
    ledger.hold(image);
    ledger.pass("F^H d", batch * image + std::max(weighted_batch + sums.running, map_buffer));
    ledger.hold(image);
    const std::size_t normal = exact_off_resonance_
                                   ? batch * (samples + image) + std::max(weighted_batch + sums.running, map_buffer)
                                   : toeplitz.running + (streams_maps ? streamed_coils_at_once(pieces) * image : 0);
    const PlanBytes prior = prior_memory_.squares;
    ledger.hold(prior.held);
    ledger.pass("prior", conversion(prior.held));
    const PlanBytes penalties = prior_memory_.penalties;
    const std::size_t gridding =
        std::max(density, image + samples + kspace_held +
                              std::max(sample_upload, batch * image + std::max(sums.running, map_buffer)));
    if (options_.start == StartImage::gridded) {
        ledger.pass("start image", std::max(gridding, 3 * image + prior.running + normal));
    }
    if (options_.regularisation.scan != ScanPrior::none) {
        const ScanPriorBytes scan =
            scan_prior_bytes(backend_, options_, matrix_size_, sample_count_, static_cast<Index>(batch), piece);
        ledger.pass("scan prior", scan.making + 2 * image);
        ledger.hold(scan.held);
        const std::size_t one_pass = batch * (samples + image) + std::max(sums.running, map_buffer);
        ledger.pass("scan prior", std::max(scan.solving + prior.running + normal, scan.drawing + one_pass + image));
    }
    const bool preconditioned = options_.preconditioner != PreconditionerKind::none;
    std::size_t preconditioner = preconditioned ? 2 * image : 0;
    if (preconditioned) {
        ledger.pass("preconditioner", 3 * image + prior.running);
    }
    if (options_.preconditioner == PreconditionerKind::circulant) {
        const CirculantBytes circulant = circulant_bytes(backend_, matrix_size_, options_.precision);
        ledger.pass("preconditioner", circulant.making);
        preconditioner += circulant.running;
    }
    const std::size_t cg_images =
        penalties.held == 0 ? cg_array_count(options_.cg, preconditioned) : 3 * frames_at_once_;
    const std::size_t cg =
        cg_images * image + prior.running + normal + preconditioner + penalties.held + penalties.running;
    if (options_.regularisation.chooses_lambda()) {
        const LambdaMethod method = options_.regularisation.lambda.method;
        const bool linear = options_.regularisation.is_quadratic();
        const auto probes = static_cast<std::size_t>(
            lambda_probe_count(grid.shape.element_count(), method,
                               linear ? LambdaProblem::Response::linear : LambdaProblem::Response::nonlinear));
        const bool by_density = method == LambdaMethod::image && options_.weighting == SampleWeighting::none;
        const std::size_t again = by_density ? kspace_held + 2 * samples + probes * image : 0;
        ledger.pass("lambda", by_density ? density : 0);
        ledger.pass("lambda",
                    again + probes * image + kspace_held + samples +
                        std::max(sample_upload, batch * (image + samples) + std::max(sums.running, map_buffer)));
        // each draw has its solver where it needs one of its own
        const std::size_t solvers = linear ? 0 : probes * (penalties.held + 2 * image);
        ledger.pass("lambda", again + solvers + (2 * probes + 3) * image +
                                  std::max(cg, batch * (samples + image) + std::max(sums.running, map_buffer)));
    }
    ledger.pass("cg", cg);
    ledger.pass("data residual", data_residual_bytes(sample_count_, options_.precision) + batch * (samples + image) +
                                     std::max(sums.running, map_buffer));
    ledger.release(kspace_held + weights);
    if (options_.baseline) {
        ledger.pass("baseline", gridding);
    }
    if (options_.measure_accuracy) {
        ledger.pass("measured accuracy", 2 * image + std::max(normal, map_buffer));
    }
    return std::move(ledger).stages();
}

}  // namespace recon
