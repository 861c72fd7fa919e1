#pragma once

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

}  // namespace recon
