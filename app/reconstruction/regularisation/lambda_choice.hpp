#pragma once

#include <functional>
#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "core/mri/noise/noise_level.hpp"
#include "solver/lambda/lambda_selection.hpp"

namespace recon {

/// The terms beside the data of a frame's problem, as far as the choice of one lambda needs them.
struct LambdaTerms {
    LambdaProblem::Response response = LambdaProblem::Response::linear;
    /// As LambdaProblem::solve.
    std::function<int(double lambda, ConstArrayView right_side, ArrayView x, double energy_stop)> solve;
    std::function<double(ConstArrayView x)> penalty;
    std::function<double(ConstArrayView x)> other_terms;  ///< none means 0
};

/// What became of `--lambda auto`.
struct ChosenLambda {
    LambdaMethod method = LambdaMethod::image;
    LambdaChoice choice;
    NoiseLevel noise;  ///< sigma 0: not looked at
    double seconds = 0;
};

/// For an image that is kept.
void visit(Archive& archive, ChosenLambda& chosen);

/// Whether the noise level of the scan has a say in lambda.
bool lambda_needs_noise(const LambdaOptions& options);

/// Chooses lambda for a frame.
/// @param noise  of a sample, if it is needed
/// @param image  start value on entry; a solution near the chosen one on return
/// @throws InputError if the noise level is needed and unknown (sigma 0)
ChosenLambda choose_lambda(const FrameProblem& problem, const LambdaTerms& terms, const NoiseLevel& noise,
                           ArrayView image);

}  // namespace recon
