#pragma once

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/scan_prior/terms/scan_term.hpp"
#include "core/operators/support.hpp"

namespace recon {

/// sum_k sigma^2(k) |DFT(rho / m)(k)|^2 / P(|k|)
/// @param of_spectrum       that of rho alone
/// @param squared_envelope  m^2, [x y z], positive inside the support; null: all voxels
/// @param sensitivity       as for levels_of
ScanTerm enveloped(const FrameProblem& problem, ScanTerm of_spectrum, const Support* support,
                   const Array& squared_envelope, const Array* sensitivity);

}  // namespace recon
