#pragma once

#include <memory>
#include <vector>

#include "app/reconstruct_options.hpp"
#include "app/stage_timer.hpp"
#include "core/mri/scan.hpp"
#include "core/plans.hpp"

namespace recon {

/// What depends on the trajectory and the weights of a frame alone: sums, Q, density compensation. Kept while
/// consecutive frames share them.
class TrajectoryPlans {
public:
    TrajectoryPlans(const Scan& scan, const Frame& frame, Backend& backend, const ReconstructOptions& options,
                    StageTimer& timer);

    bool serves(const Frame& frame) const {
        return trajectory_ == frame.trajectory && given_density_ == frame.density_weights;
    }

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

    double q_centre() const { return q_centre_; }  ///< Q(0) = sum g^2
    /// Measured error of Q, or of the worst time segment's; 0 unless asked for
    double q_error() const { return q_error_; }

    /// Pipe-Menon weights, [sample], computed when first asked for.
    const std::vector<double>& pipe_menon();
    /// The scan's own density weights, else Pipe-Menon's.
    std::vector<double> density_weights();

private:
    PerAxis<Index> matrix_size() const { return scan_.geometry.matrix_size; }

    void make_sample_factors();
    void make_sums(const Frame& frame);
    void make_toeplitz(const Frame& frame);
    std::unique_ptr<ToeplitzPlan> toeplitz_of(const std::vector<double>& weights);
    std::unique_ptr<ToeplitzPlan> segmented_toeplitz(const Frame& frame, const std::vector<double>& weights);

    const Scan& scan_;
    Backend& backend_;
    const ReconstructOptions& options_;
    StageTimer& timer_;
    std::shared_ptr<const Trajectory> trajectory_;
    std::vector<float> given_density_;
    std::vector<double> pipe_menon_;
    std::vector<double> root_weights_;
    std::vector<double> sample_factors_;
    SumsMethod method_ = SumsMethod::nufft;
    std::shared_ptr<const FourierSums> sums_;
    std::shared_ptr<const Array> sample_factors_array_;
    double q_centre_ = 0;
    double q_error_ = 0;
    std::shared_ptr<const ToeplitzPlan> toeplitz_;
};

}  // namespace recon
