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
/// @param u        [x y z], positive
/// @param support  sums are over what is inside; null: all voxels
/// @param unit     of u, in units of the term's spectrum
std::vector<TermLevel> levels_of(const FrameProblem& problem, const Array& u, const Support* support, double unit);

}  // namespace recon
