#pragma once

#include <vector>

#include "app/studies/bench/cost_fit.hpp"
#include "core/backend/backend.hpp"

namespace recon {

/// Small problems of every kind of work that times are predicted for, timed with all threads; for the fit.
std::vector<TimedWork> time_parts(Backend& cpu);

/// What scans take: Q, F^H d with its plan, the plan alone and a product with Q; to judge the fit by.
std::vector<TimedWork> time_scans(Backend& cpu);

}  // namespace recon
