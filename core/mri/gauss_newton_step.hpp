#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

struct GaussNewtonStep {
    std::vector<double> values;
    std::vector<double> deviations;  ///< standard deviations, if what is left is noise of the same size everywhere
};

/// Real least squares of what is left of weighted data by changes: (Re J^H J)^-1 Re J^H r.
/// @param changes  columns of J, [sample coil] each, weighted by sqrt(w)  @param rest  r, weighted as well
/// @param weights  w, [sample]
/// @return nothing where the changes do not tell the values apart, or nothing changes
std::optional<GaussNewtonStep> gauss_newton_step(const std::vector<std::vector<cfloat>>& changes,
                                                 const std::vector<cfloat>& rest, const std::vector<double>& weights);

/// What is to be least, as a function of values, and the step from these.
struct GaussNewtonProblem {
    std::function<double(const std::vector<double>&)> left_by;
    std::function<std::optional<GaussNewtonStep>(const std::vector<double>&)> step_from;
    double largest_step;  ///< of a value
    double at_rest;       ///< steps that are smaller are the last
};

/// Gauss and Newton: steps, halved up to twice where they do not leave less, as long as that helps; eight at most.
/// @param values  where to begin; gets where it ends  @return the last step; nothing where data do not tell values
std::optional<GaussNewtonStep> descend(const GaussNewtonProblem& problem, std::vector<double>& values);

}  // namespace recon
