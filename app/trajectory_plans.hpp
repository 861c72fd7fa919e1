#pragma once

#include <memory>
#include <vector>

#include "app/reconstruction_context.hpp"
#include "core/plans.hpp"

namespace recon {

/// What depends on the trajectory and the weights of a frame alone: sums, Q, density compensation. Kept while
/// consecutive frames share them. What is listed by sample is so for those of this rank.
class TrajectoryPlans {
public:
    /// @param context  outlives the plans
    TrajectoryPlans(const ReconstructionContext& context, const Frame& frame);

    bool serves(const Frame& frame) const {
        return whole_trajectory_ == frame.trajectory && given_density_ == frame.density_weights;
    }

    /// Of the frame, or a part of it.
    const Trajectory& trajectory() const { return *trajectory_; }
    SumsMethod method() const { return method_; }
    const std::shared_ptr<const FourierSums>& sums() const { return sums_; }
    const std::shared_ptr<const ToeplitzPlan>& toeplitz() const { return toeplitz_; }

    /// sqrt(w), [sample]; empty means 1
    const std::vector<double>& root_weights() const { return root_weights_; }
    /// g = sqrt(w) phi, [sample]; empty means 1
    const std::vector<double>& sample_factors() const { return sample_factors_; }
    /// The same on the backend; none means 1
    const std::shared_ptr<const Array>& sample_factors_array() const { return sample_factors_array_; }

    /// [x y z]; empty unless it is to be corrected
    std::span<const float> off_resonance_hz() const;

    double q_centre() const { return q_centre_; }  ///< Q(0) = sum g^2 over the samples of all ranks
    /// Measured error of Q, or of the worst time segment's; 0 unless asked for
    double q_error() const { return q_error_; }
    /// How many Q, one or one for each time segment, came from the cache and were computed.
    int q_read_count() const { return q_read_count_; }
    int q_computed_count() const { return q_computed_count_; }

    /// Pipe-Menon weights, [sample], computed when first asked for.
    std::vector<double> pipe_menon() { return part_of(whole_pipe_menon(), samples_); }
    /// The scan's own density weights, else Pipe-Menon's.
    std::vector<double> density_weights() { return part_of(whole_density_weights(), samples_); }

private:
    std::vector<double> make_sample_factors();
    void make_sums(const Frame& frame);
    void make_toeplitz(const Frame& frame, std::vector<double> weights);
    std::unique_ptr<ToeplitzPlan> toeplitz_of(const Trajectory& trajectory, const std::vector<double>& weights,
                                              const SumsChoice& choice);
    std::unique_ptr<ToeplitzPlan> segmented_toeplitz(const Frame& frame, const Trajectory& trajectory,
                                                     const std::vector<double>& weights, const SumsChoice& choice);
    const std::vector<double>& whole_pipe_menon();
    std::vector<double> whole_density_weights();

    const ReconstructionContext& context_;
    std::shared_ptr<const Trajectory> whole_trajectory_;
    std::vector<float> given_density_;  ///< of all samples, as is
    std::vector<double> whole_pipe_menon_;
    Share samples_;    ///< whose data this rank has
    Share q_samples_;  ///< which it adds up for Q: shared out even where the data are divided by coils
    std::shared_ptr<const Trajectory> trajectory_;
    std::vector<double> root_weights_;
    std::vector<double> sample_factors_;
    SumsMethod method_ = SumsMethod::nufft;
    std::shared_ptr<const FourierSums> sums_;
    std::shared_ptr<const Array> sample_factors_array_;
    double q_centre_ = 0;
    double q_error_ = 0;
    int q_read_count_ = 0;      ///< from the cache
    int q_computed_count_ = 0;
    std::shared_ptr<const ToeplitzPlan> toeplitz_;
};

}  // namespace recon
