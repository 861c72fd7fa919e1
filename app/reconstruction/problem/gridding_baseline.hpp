#pragma once

#include "app/reconstruction/problem/frame_problem.hpp"

namespace recon {

/// The baseline: density compensation, gridding, FFT, deapodisation, coil combination [Roemer 1990]; no iteration.
/// @return [x y z], the same on all ranks
Array gridded_image(const FrameProblem& problem);

}  // namespace recon
