#pragma once

#include <functional>
#include <vector>

#include "core/operators/linear_operator.hpp"
#include "solver/lambda/lambda_criteria.hpp"

namespace recon {

/// A family of regularised problems, min |E x - d|^2 + other(x) + lambda penalty(x), one for each lambda.
struct LambdaProblem {
    enum class Response {
        linear,    ///< quadratic terms: the solution is a linear function of d
        nonlinear  ///< it is not, as with total variation
    };

    Response response = Response::linear;
    const LinearOperator& normal;  ///< N = E^H E
    ConstArrayView right_side;     ///< b = E^H d
    double data_energy = 0;        ///< |d|^2
    DataStatistics data = {};

    /// x = solution for lambda and right side b; x holds a start value. The right sides, of the data and one for each
    /// probe, stay where they are. For linear problems it may stop when
    /// `energy_stop` (CgOptions) is reached. @return iterations
    std::function<int(double lambda, ConstArrayView b, ArrayView x, double energy_stop)> solve = {};
    std::function<double(ConstArrayView x)> penalty = {};
    std::function<double(ConstArrayView x)> other_terms = {};  ///< none means 0
    /// |E x - d|^2 by forward transform, for where the difference of large numbers that replaces it has lost its digits
    std::function<double(ConstArrayView x)> misfit = {};
    double misfit_tolerance = 1e-6;  ///< relative error of N and b

    /// E^H n of one or more draws of white noise with E|n|^2 = 1, weighted as d is [Girard 1989].
    std::vector<ConstArrayView> probes = {};

    /// For `image`: (E x - d)^H D (E x - d), x^H E^H D E x, and E^H D n of the same draws, D the density weights. None
    /// where d is weighted by them already: the plain ones are what is asked for then.
    std::function<double(ConstArrayView x)> image_misfit = {};
    std::function<double(ConstArrayView x)> image_energy = {};
    std::vector<ConstArrayView> image_probes = {};
};

/// Draws of noise that the degrees of freedom are estimated with: more for small images, whose estimates scatter more.
/// One for terms that are no squares, as each is a run of ADMM.
Index lambda_probe_count(Index voxel_count, LambdaMethod method, LambdaProblem::Response response);

struct LambdaSearch {
    LambdaMethod method = LambdaMethod::image;
    double first = 1;      ///< where the path begins, downwards; upwards too where the best lies there
    double largest = 1e4;  ///< how far it may go
    double smallest = 1e-7;
    int points_a_decade = 2;
    int refinements = 3;  ///< points that are added around the best one
};

struct LambdaChoice {
    double lambda = 0;
    bool is_inside = true;           ///< false: the path ended before the criterion was met
    std::vector<LambdaPoint> curve;  ///< ascending in lambda
    DataStatistics data;             ///< that the curve was judged with
    int iterations = 0;              ///< of all solutions, probes included
};

/// Told of each point of the path. @return false to end the search with what there is
using LambdaObserver = std::function<bool(const LambdaPoint&)>;

/// Chooses lambda by solving for a path of them, each from the solution of the one before.
///
/// Misfit and degrees of freedom come from N and b alone, without transforms:
///     |E x - d|^2 = |d|^2 - 2 Re b^H x + x^H N x
///     trace dE x/dd = E n^H E x(n),    E^H n = b_n:  2 Re b_n^H x_n - x_n^H M x_n  for linear problems, M = N + terms,
///     whose error is second order in that of x_n; else Re b_n^H (x(b + eps b_n) - x(b)) / eps  [Ramani 2008].
/// The image's error has E^H D n in the place of b_n before the product, first order in the error of x_n, and misfits
/// by forward transform. Memory: an image for each probe, two more and those of `solve`.
/// @param x  start value on entry, the solution for a lambda near the chosen one on return
/// @throws Error if the method needs a noise variance that is not given, or probes
LambdaChoice choose_lambda(const LambdaProblem& problem, const LambdaSearch& search, ArrayView x,
                           const LambdaObserver& observer = {});

}  // namespace recon
