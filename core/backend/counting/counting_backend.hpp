#pragma once

#include <memory>

#include "core/backend/backend.hpp"

namespace recon {

/// A backend that books memory and computes nothing, to find out what work on another one would hold: the work itself
/// runs on it, its operands are checked as ever, and `memory().peak()` is the answer.
///
/// Arrays have addresses of their own at which there is no memory: whoever follows one ends the program. Uploads are
/// not read. Downloads give ones: dot products are 1, so that solvers neither converge nor break down, but make as many
/// iterations as they are allowed. Lists on the host that stand for many numbers have one (Device::listed). Plans hold
/// and take what `like.plan_sizes()` says, with this backend's `memory().piece_bytes()`. Sums at free positions are not
/// booked.
/// @param like  whose sizes, predicted seconds and name it has; must outlive it
std::unique_ptr<Backend> make_counting_backend(const Backend& like);

}  // namespace recon
