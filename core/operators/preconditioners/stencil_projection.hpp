#pragma once

#include <vector>

#include "core/operators/linear_operator.hpp"

namespace recon {

/// What preconditioners need of an operator R on images that joins neighbouring voxels only, as W^H W of the quadratic
/// priors does: found by applying it to combs of voxels three apart, 3^d times.
struct StencilProjection {
    std::vector<double> diagonal;  ///< R_nn, [x y z]
    std::vector<double> spectrum;  ///< of its best circulant approximation, [x y z] of circulant_grid, FFT order
};

/// @param r  self-adjoint, [x y z] to [x y z]
StencilProjection project_stencil(const LinearOperator& r);

}  // namespace recon
