#pragma once

#include "app/reconstruction/problem/frame_problem.hpp"

namespace recon {

/// sum_c |S_c|^2 over the coils of all ranks, [x y z]; 1 where there are no maps. The same on all ranks.
Array coil_energy(const FrameProblem& problem);

}  // namespace recon
