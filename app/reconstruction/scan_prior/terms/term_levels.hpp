#pragma once

#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/scan_prior/terms/scan_term.hpp"
#include "core/operators/support.hpp"

namespace recon {

/// Two levels of a term whose strength u differs by orders of magnitude from voxel to voxel, where no one level does
/// for all. With m^2 the product of its arithmetic and harmonic means,
///
///     share of where it is weak  t = m^2 / (u^2 + m^2),    its u: sum t / sum t/u,    the others': sum (1-t) u / sum
///     (1-t)
///
/// Where coils see voxels unevenly, e(r), the operator is nearly sqrt(e) (C + u/e P) sqrt(e) of circulants C and P:
/// then the levels are those of u/e, and their shares are divided by e.
///
/// @param u            [x y z], positive
/// @param support      sums are over what is inside; null: all voxels
/// @param unit         of u, in units of the term's spectrum
/// @param sensitivity  e, as uneven_sensitivity; null: 1
std::vector<TermLevel> levels_of(const FrameProblem& problem, const Array& u, const Support* support, double unit,
                                 const Array* sensitivity);

/// The same of a term that is circulant, u = 1. None where e is 1.
std::vector<TermLevel> levels_of_even_term(const FrameProblem& problem, const Support* support,
                                           const Array* sensitivity);

}  // namespace recon
