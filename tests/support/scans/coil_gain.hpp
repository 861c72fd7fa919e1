#pragma once

#include <algorithm>
#include <cstddef>

#include "core/mri/scan.hpp"

namespace recon::test {

/// What a coil measures, times a gain. @param values  [element coil]
inline void multiply_coil(std::vector<cfloat>& values, Index coil_count, Index coil, float gain) {
    const auto length = static_cast<std::ptrdiff_t>(values.size()) / coil_count;
    std::for_each(values.begin() + coil * length, values.begin() + (coil + 1) * length,
                  [gain](cfloat& value) { value *= gain; });
}

/// Of the first frame, and of the map.
inline void multiply_coil(Scan& scan, Index coil, float gain) {
    multiply_coil(scan.frames.front().kspace, scan.coil_count, coil, gain);
    multiply_coil(scan.coil_maps, scan.coil_count, coil, gain);
}

}  // namespace recon::test
