#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/reconstruction/context/reconstruction_context.hpp"
#include "app/reconstruction/problem/trajectory_plans.hpp"
#include "core/mri/check/image/residual_shares.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/kspace_batches.hpp"
#include "core/operators/measured_accuracy.hpp"
#include "core/operators/operator_algebra.hpp"

namespace recon {

/// The least-squares problem of one frame, as one rank has it: the encoding E, its normal operator over all ranks, and
/// E^H d. What solves it needs `normal`, `fhd` and `q_centre` alone.
class FrameProblem {
public:
    /// @param context, frame, plans  outlive the problem
    /// @param coils  those of another frame of the same slice; none: of this one
    FrameProblem(const ReconstructionContext& context, const Frame& frame, TrajectoryPlans& plans,
                 std::shared_ptr<const CoilSensitivity> coils = nullptr);
    FrameProblem(const FrameProblem&) = delete;
    FrameProblem& operator=(const FrameProblem&) = delete;

    const ReconstructionContext& context() const { return context_; }
    Backend& backend() const { return context_.backend; }
    Communicator& ranks() const { return context_.ranks(); }
    Shape image_shape() const { return encoding_->domain(); }
    TrajectoryPlans& plans() const { return plans_; }

    const std::shared_ptr<const CoilSensitivity>& coils() const { return coils_; }
    /// Whether these are the coils of any other frame as well: none of this rank's is without data in this one.
    bool sees_with_all_coils() const { return sees_with_all_; }
    /// E of this rank's samples and coils, by sums both ways.
    const Encoding& encoding() const { return *encoding_; }
    /// The same by sums that are right beside the noise: for residuals, and where solvers start. Not for what is solved
    /// for: where samples leave gaps, an error of E^H that no image explains is divided by next to nothing.
    const Encoding& encoding_beside_noise() const { return *encoding_beside_noise_; }
    /// The coils of this rank in the normal operator.
    const CoilSensitivity& normal_coils() const { return own_toeplitz_->coils(); }
    /// x -> E^H E x, summed over all ranks, in Toeplitz form if there is one.
    const LinearOperator& normal() const { return *normal_; }
    /// E^H d, [x y z], of all ranks
    ConstArrayView fhd() const { return *fhd_; }
    double q_centre() const { return plans_.q_centre(); }  ///< Q(0) of all samples

    /// d times factors, [sample coil] of this rank. @param factors  [sample]; empty means 1
    KspaceBatches kspace(std::span<const double> factors) const;

    /// sqrt(w) d of this rank, until `data_residual` is called.
    const KspaceBatches& weighted_kspace() const { return *kspace_; }
    std::span<const cfloat> own_kspace() const { return own_kspace_; }  ///< [sample coil], unweighted
    const Frame& frame() const { return frame_; }

    /// E^H of other data than the scan's, weighted like those: [sample coil] of this rank; the sum over all ranks.
    Array adjoint_of(std::span<const cfloat> own_data) const;
    /// The same as `data_residual`, to be called any number of times before it.
    double data_residual_so_far(ConstArrayView image) const;

    /// |E x - d| / |d| over all ranks; both with sqrt(w) where samples are weighted
    /// @param shares  overwritten: where in k-space it lies
    double data_residual(ConstArrayView image, ResidualShares& shares);
    MeasuredAccuracy measured_accuracy() const;

private:
    std::vector<Index> silent_coils() const;
    Encoding::Parts parts_of_normal(const std::shared_ptr<const CoilSensitivity>& coils) const;

    const ReconstructionContext& context_;
    const Frame& frame_;
    TrajectoryPlans& plans_;
    std::vector<cfloat> kspace_buffer_;
    std::span<const cfloat> own_kspace_;
    std::shared_ptr<const CoilSensitivity> coils_;
    bool sees_with_all_ = true;
    std::optional<Encoding> encoding_;
    std::optional<Encoding> encoding_beside_noise_;
    std::optional<Encoding> own_toeplitz_;
    std::optional<AllReduce> toeplitz_;
    std::optional<Normal> normal_;
    std::optional<KspaceBatches> kspace_;  ///< sqrt(w) d, until the residual is known
    std::optional<Array> fhd_;
};

}  // namespace recon
