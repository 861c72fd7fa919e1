#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Whether samples see what is beyond the field of view by itself: a tenth of them lie between whole cycles of it.
/// @param k  of one axis, in cycles per field of view
inline bool lies_off_whole_cycles(const std::vector<double>& k) {
    constexpr Index looked_at = 4096;
    constexpr double whole = 0.05, some_samples = 0.1;
    const auto count = static_cast<Index>(k.size());
    const Index step = std::max<Index>(1, count / looked_at) | 1;
    Index looked = 0, off = 0;
    for (Index m = 0; m < count; m += step, ++looked) {
        const double cycles = k[static_cast<std::size_t>(m)];
        off += std::abs(cycles - std::round(cycles)) > whole;
    }
    return static_cast<double>(off) > some_samples * static_cast<double>(looked);
}

}  // namespace recon
