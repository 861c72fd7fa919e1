#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// The numbers from 0 to `count` - 1, or `most` of them, spread by the golden ratio: in step with no readout.
std::vector<Index> spread_samples(Index count, Index most);

}  // namespace recon
