#pragma once

#include <memory>
#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/regularisation/prior_terms.hpp"

namespace recon {

/// The diagonal of E^H E, Q(0) sum_c |S_c|^2 of all ranks, [x y z]
std::vector<double> sense_diagonal(const FrameProblem& problem);

/// The preconditioner that the options ask for, for systems E^H E + sum_i lambda_i Q(0) W_i^H W_i that differ in
/// lambda.
class Preconditioning {
public:
    /// @param priors  quadratic terms, whose W_i^H W_i join neighbouring voxels only; outlive this object
    Preconditioning(const FrameProblem& problem, const PriorTerms& priors);

    /// @param terms  the same ones, with the lambdas in force. @return null for none
    std::unique_ptr<LinearOperator> with(const std::vector<PriorTerm>& terms) const;

private:
    const FrameProblem& problem_;
    const PriorTerms& priors_;
    std::vector<double> of_data_;                 ///< diagonal or eigenvalues of the approximation of E^H E
    std::vector<std::vector<double>> of_priors_;  ///< of Q(0) W_i^H W_i
};

/// The image that the options start from: zero, or the gridded one times the number that makes it fit best,
///     a = g^H E^H d / (g^H M g),    M the system's operator.
/// @param support  null: none
void start_image(const FrameProblem& problem, const LinearOperator& system, const Support* support, ArrayView image);

}  // namespace recon
