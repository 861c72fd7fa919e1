#include "app/reconstruction/problem/frame_problem.hpp"

#include <algorithm>

#include "app/reconstruction/coils/coil_preparation.hpp"
#include "app/reconstruction/problem/data_residual.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"
#include "core/mri/check/check_finding.hpp"

namespace recon {

FrameProblem::FrameProblem(const ReconstructionContext& context, const Frame& frame, TrajectoryPlans& plans,
                           std::shared_ptr<const CoilSensitivity> coils)
    : context_(context),
      frame_(frame),
      plans_(plans),
      kspace_buffer_(context.backend.computes() ? 0 : 1, cfloat(1)),
      own_kspace_(!context.backend.computes() ? std::span<const cfloat>(kspace_buffer_)
                  : context.scan.parts        ? std::span<const cfloat>(frame.kspace)
                                              : context.division.part_of_kspace(frame.kspace, kspace_buffer_)),
      coils_(std::move(coils)) {
    const std::vector<Index> silent = silent_coils();
    sees_with_all_ = silent.empty();
    if (!coils_ || !silent.empty()) {
        coils_ = std::make_shared<const CoilSensitivity>(coil_sensitivity(context, frame, silent));
    }
    encoding_.emplace(backend(), Encoding::Parts{plans.sums(), coils_, plans.sample_factors_array(), nullptr});
    encoding_beside_noise_.emplace(
        backend(), Encoding::Parts{plans.sums_beside_noise(), coils_, plans.sample_factors_array(), nullptr});
    own_toeplitz_.emplace(backend(), parts_of_normal(coils_));
    toeplitz_.emplace(*own_toeplitz_, ranks());
    normal_.emplace(*toeplitz_);
    kspace_.emplace(kspace(plans.root_weights()));
    fhd_.emplace(backend(), image_shape(), context.options.precision);
    const auto stage = context.run.stage(Stage::adjoint);
    encoding_adjoint(*encoding_, *kspace_, *fhd_);
    ranks().all_reduce_sum(*fhd_);
    backend().synchronize();  // or its seconds would be those of the next stage
    log_info("F^H d: {} in {:.2f} s", counted(context.scan.coil_count, "coil"), stage.seconds());
}

/// Coils of this rank without data in this frame (those without any in all are left out).
std::vector<Index> FrameProblem::silent_coils() const {
    const Index count = context_.division.coils().count;
    if (!context_.backend.computes() || count == 0 || context_.scan.frames.size() == 1) {
        return {};
    }
    const Share coils = context_.division.coils();
    std::vector<double> hold(static_cast<std::size_t>(context_.scan.coil_count), 0.0);
    const auto length = static_cast<std::ptrdiff_t>(own_kspace_.size()) / count;
    for (Index coil = 0; coil < count; ++coil) {
        const auto first = own_kspace_.begin() + coil * length;
        hold[static_cast<std::size_t>(coils.first + coil)] =
            std::any_of(first, first + length, [](cfloat value) { return value != cfloat(0); }) ? 1 : 0;
    }
    ranks().all_reduce_sum(std::span<double>(hold));  // each may have some of the samples
    std::vector<Index> silent, own;
    for (Index coil = 0; coil < context_.scan.coil_count; ++coil) {
        if (hold[static_cast<std::size_t>(coil)] == 0) {
            silent.push_back(coil);
            if (coil >= coils.first && coil < coils.first + count) {
                own.push_back(coil - coils.first);
            }
        }
    }
    if (!silent.empty()) {
        log_warning("{} hold{} nothing but zeros in this frame, and see{} nothing there", numbered("coil", silent),
                    silent.size() == 1 ? "s" : "", silent.size() == 1 ? "s" : "");
    }
    return own;
}

/// In Toeplitz form the weights are in Q, which is that of all ranks; sums both ways are those of this rank's samples.
Encoding::Parts FrameProblem::parts_of_normal(const std::shared_ptr<const CoilSensitivity>& coils) const {
    if (!plans_.toeplitz()) {
        return {plans_.sums(), coils, plans_.sample_factors_array(), nullptr};
    }
    return {plans_.sums(), coils_of_normal(context_, coils), nullptr, plans_.toeplitz()};
}

KspaceBatches FrameProblem::kspace(std::span<const double> factors) const {
    const Shape samples = Shape::samples(plans_.trajectory().sample_count());
    return {backend(),
            own_kspace_,
            samples.with_axis("coil", context_.division.coils().count),
            factors,
            context_.options.precision,
            context_.memory.kspace};
}

Array FrameProblem::adjoint_of(std::span<const cfloat> own_data) const {
    const Shape shape =
        Shape::samples(plans_.trajectory().sample_count()).with_axis("coil", context_.division.coils().count);
    Array image(backend(), image_shape(), context_.options.precision);
    encoding_adjoint(
        *encoding_,
        {backend(), own_data, shape, plans_.root_weights(), context_.options.precision, context_.memory.kspace}, image);
    ranks().all_reduce_sum(image);
    return image;
}

double FrameProblem::data_residual_so_far(ConstArrayView image) const {
    return relative_data_residual(*encoding_beside_noise_, image, *kspace_, ranks());
}

double FrameProblem::data_residual(ConstArrayView image, ResidualShares& shares) {
    const auto stage = context_.run.stage(Stage::residual);
    const double residual = data_residual_by_parts(*encoding_beside_noise_, image, *kspace_, context_.division,
                                                   frame_.sample_count(), shares);
    kspace_.reset();
    return residual;
}

MeasuredAccuracy FrameProblem::measured_accuracy() const {
    const auto stage = context_.run.stage(Stage::accuracy);
    MeasuredAccuracy accuracy{.q = plans_.q_error()};
    std::span<const float> times_s = frame_.sample_times_s.values();
    if (!times_s.empty()) {
        const Share own = context_.division.samples(frame_.sample_count());
        times_s = times_s.subspan(static_cast<std::size_t>(own.first), static_cast<std::size_t>(own.count));
    }
    constexpr double share_of_run = 0.02;  // that of Q takes another 0.01
    measure_encoding(
        {*encoding_, plans_.trajectory(), plans_.sample_factors(), plans_.root_weights(), own_kspace_,
         plans_.off_resonance(), times_s, *fhd_, *toeplitz_, ranks(), share_of_run * plans_.least_run_seconds()},
        accuracy);
    log_info("measured accuracy against double direct sums: Q {:.1e}, F^H d {:.1e}, normal product {:.1e}", accuracy.q,
             accuracy.fhd, accuracy.normal);
    return accuracy;
}

}  // namespace recon
