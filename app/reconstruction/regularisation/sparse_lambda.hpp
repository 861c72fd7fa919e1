#pragma once

#include <map>
#include <memory>

#include "app/reconstruction/regularisation/lambda_choice.hpp"
#include "app/reconstruction/regularisation/sparse_solver.hpp"

namespace recon {

/// The choice of the lambda of a term that is no square: solutions by ADMM, each from the image and the multipliers of
/// the lambda before, for the data and for the data with a draw of noise added [Ramani 2008].
class SparseLambda {
public:
    /// @param data  the problem of the scan's data; what it refers to outlives this object
    SparseLambda(const FrameProblem& problem, const SparseSolver::Problem& data);

    /// @param noise  as in choose_lambda  @param image  start value on entry; a solution near the chosen one on return
    ChosenLambda choose(const NoiseLevel& noise, ArrayView image);
    /// The image at the chosen lambda, from there.
    AdmmReport solve(double lambda, ArrayView image);

private:
    /// The solver of one right side, which stays where it is.
    struct OfRightSide {
        std::optional<Array> inside;  ///< of the support, where there is one
        std::unique_ptr<SparseSolver> solver;
    };

    SparseSolver& solver_of(ConstArrayView right_side);
    double penalty(double lambda, ConstArrayView image) const;

    const FrameProblem& problem_;
    SparseSolver::Problem data_;
    std::size_t term_ = 0;  ///< number of the automatic one among those that are no squares
    std::map<const void*, OfRightSide> solvers_;
    AdmmReport last_of_data_;
};

}  // namespace recon
