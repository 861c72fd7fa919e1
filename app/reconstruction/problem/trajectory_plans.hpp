#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reconstruction/context/frame_sums.hpp"
#include "app/reconstruction/context/reconstruction_context.hpp"
#include "app/reconstruction/problem/cached_q.hpp"
#include "core/backend/plans.hpp"
#include "core/fourier/time_segments.hpp"

namespace recon {

/// What depends on the trajectory and the weights of a frame alone: sums, Q, density compensation. Kept while
/// consecutive frames share them. What is listed by sample is so for those of this rank.
class TrajectoryPlans {
public:
    /// @param context  outlives the plans
    TrajectoryPlans(const ReconstructionContext& context, const Frame& frame);

    bool serves(const Frame& frame) const {
        return whole_trajectory_ == frame.trajectory && given_density_ == frame.density_weights &&
               off_resonance_.is_same(context_.off_resonance(frame.label.slice)) &&
               (off_resonance_.empty() || sample_times_s_ == frame.sample_times_s);
    }

    /// Of the frame, or a part of it.
    const Trajectory& trajectory() const { return *trajectory_; }
    SumsMethod method() const { return method_; }
    const std::shared_ptr<const FourierSums>& sums() const { return sums_; }
    /// For what need be right beside the noise alone; the same where others would not be faster.
    const std::shared_ptr<const FourierSums>& sums_beside_noise() const { return sums_beside_noise_; }
    /// None where the normal operator is the sums both ways (exact off-resonance)
    const std::shared_ptr<const ToeplitzPlan>& toeplitz() const { return toeplitz_; }
    /// Q of the samples of all ranks, off-resonance left out, on VoxelGrid::differences in double precision; kept for
    /// a circulant preconditioner alone.
    const std::optional<Array>& q() const { return q_; }

    /// sqrt(w), [sample]; empty means 1
    const std::vector<double>& root_weights() const { return root_weights_; }
    /// g = sqrt(w) phi, [sample]; empty means 1
    const std::vector<double>& sample_factors() const { return sample_factors_; }
    /// The same on the backend; none means 1
    const std::shared_ptr<const Array>& sample_factors_array() const { return sample_factors_array_; }

    /// [x y z]; empty unless it is to be corrected
    const OffResonanceMaps& off_resonance() const { return off_resonance_; }

    double q_centre() const { return q_centre_; }  ///< Q(0) = sum g^2 over the samples of all ranks
    /// The same where each sample that has a weight had the weight 1.
    double unweighted_q_centre() const { return unweighted_q_centre_; }
    /// Measured error of Q, or of the worst time segment's; 0 unless asked for
    double q_error() const { return q_error_; }
    /// Predicted for Q, F^H d, one product with Q and the residual: what a run of this trajectory takes at least
    double least_run_seconds() const { return least_run_seconds_; }
    /// "computed", "stored" (computed, and kept in the cache) or "cached": of all time segments alike, or the first of
    /// these that is true of one; "none" without Q.
    std::string q_origin() const { return q_origin_ ? name_of(*q_origin_) : "none"; }

    /// Pipe-Menon weights, [sample], computed when first asked for.
    std::vector<double> pipe_menon() { return own(whole_pipe_menon(), samples_); }
    /// The scan's own density weights, else Pipe-Menon's.
    std::vector<double> density_weights() { return own(whole_density_weights(), samples_); }

private:
    std::vector<double> make_sample_factors();
    bool off_resonance_is_exact() const;
    void make_sums(const Frame& frame, const FrameSums& choice);
    /// With off-resonance where there are segments of time.
    std::shared_ptr<const FourierSums> sums_of(const SumsChoice& choice, const std::optional<TimeSegments>& segments);
    void make_exact_off_resonance_sums(const Frame& frame);
    void make_toeplitz(const Frame& frame, const SumsChoice& choice, std::vector<double> weights);
    /// @param modulation  as ToeplitzPlan's
    std::unique_ptr<ToeplitzPlan> toeplitz_of(const Trajectory& trajectory, const std::vector<double>& weights,
                                              const SumsChoice& choice, std::optional<Array> modulation = std::nullopt);
    MemoryClaim claim_interpolators(const TimeSegments& segments) const;
    std::unique_ptr<ToeplitzPlan> segmented_toeplitz(const Frame& frame, const Trajectory& trajectory,
                                                     const std::vector<double>& weights, const SumsChoice& choice);
    /// The part of this rank; where nothing is computed, the list that stands for it.
    template <class T>
    std::vector<T> own(const std::vector<T>& all, const Share& share) const {
        return context_.backend.computes() ? part_of(all, share) : all;
    }
    const std::vector<double>& whole_pipe_menon();
    std::vector<double> whole_fit_weights();
    std::vector<double> whole_density_weights();

    const ReconstructionContext& context_;
    MemoryClaim host_;  ///< of weights, factors and copies of them on their way, in double
    std::shared_ptr<const Trajectory> whole_trajectory_;
    SharedList<float> given_density_;  ///< of all samples, as is
    SharedList<float> sample_times_s_;
    OffResonanceMaps off_resonance_;
    std::vector<double> whole_pipe_menon_;
    Share samples_;    ///< whose data this rank has
    Share q_samples_;  ///< which it adds up for Q: shared out even where the data are divided by coils
    std::shared_ptr<const Trajectory> trajectory_;
    std::vector<double> root_weights_;
    std::vector<double> sample_factors_;
    SumsMethod method_ = SumsMethod::nufft;
    std::shared_ptr<const FourierSums> sums_;
    std::shared_ptr<const FourierSums> sums_beside_noise_;
    std::shared_ptr<const Array> sample_factors_array_;
    double q_centre_ = 0;
    double unweighted_q_centre_ = 0;
    double q_error_ = 0;
    double least_run_seconds_ = 0;
    std::optional<QOrigin> q_origin_;
    std::optional<Array> q_;
    std::shared_ptr<const ToeplitzPlan> toeplitz_;
};

}  // namespace recon
