#pragma once

#include <optional>

#include "app/reconstruction/regularisation/penalty_terms.hpp"

namespace recon {

/// Images of a problem with terms that are no squares, by ADMM:
///
///     argmin |E rho - d|^2 + sum_i lambda_i Q(0) |W_i rho|^2 + 2 sum_j lambda_j Q(0) s f_j(Phi_j rho)
///
/// Solves again at other lambdas from where it was.
class SparseSolver {
public:
    /// What it needs to know of a problem; all of it outlives the solver.
    struct Problem {
        const LinearOperator& normal;             ///< E^H E
        ConstArrayView fhd;                       ///< E^H d
        const LinearOperator& system;             ///< E^H E + sum_i lambda_i Q(0) W_i^H W_i, restricted to the support
        ConstArrayView right_side;                ///< E^H d, restricted to the support
        double q_centre;                          ///< Q(0)
        const LinearOperator* support = nullptr;  ///< null: none
    };

    SparseSolver(const ReconstructionContext& context, const Problem& problem);

    double amplitude() const { return amplitude_; }  ///< s
    /// The lambda of the term number `penalty` among those that are no squares. @throws UsageError unless it is
    /// positive
    void set_lambda(std::size_t penalty, double lambda);
    /// @param image  start value on entry, the image on return; the same on all ranks
    AdmmReport solve(ArrayView image);

private:
    const ReconstructionContext& context_;
    Problem problem_;
    double amplitude_;
    std::optional<PenaltyTerms> terms_;
    std::optional<Admm> admm_;  ///< none: E^H d is zero, and so is the image
};

/// What is common to the reports of both solvers: `residuals` are the larger of the primal and the dual one.
CgReport summary_of(const AdmmReport& report);

}  // namespace recon
