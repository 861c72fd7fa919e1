#pragma once

#include <vector>

#include "core/backend/backend.hpp"
#include "core/operators/linear_operator.hpp"

namespace recon::ladder {

/// How an image is made of Q and F^H d of one coil: conjugate gradients from zero on
///
///     (F^H F + factor W^H W) rho = F^H d,      F^H F as convolution with Q
struct ToeplitzSolve {
    Backend& backend;
    PerAxis<Index> matrix_size;
    Precision precision;
    int iterations;
    const LinearOperator* w = nullptr;  ///< null: no prior
    double factor = 0;                  ///< lambda Q(0)
};

/// @param half_of_q  on half_of_differences(matrix_size)  @param fhd  [x y z]
/// @return [x y z]
std::vector<cfloat> toeplitz_image(const ToeplitzSolve& how, const std::vector<cfloat>& half_of_q,
                                   const std::vector<cfloat>& fhd);

}  // namespace recon::ladder
