#pragma once

#include <cmath>

#include "core/base/types.hpp"

namespace recon {

/// Shift number `index` of a sequence that visits the places of a box evenly: fractional parts of `index` times the
/// powers of 1 / g, g^4 = g + 1. Number 0 shifts nothing.
/// @return 0 <= shift < range of each axis
inline PerAxis<Index> spread_shift(int index, const PerAxis<Index>& range) {
    constexpr PerAxis<double> steps{0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    PerAxis<Index> shift{};
    for (int axis = 0; axis < 3; ++axis) {
        const double turns = index * steps[axis];
        shift[axis] = static_cast<Index>((turns - std::floor(turns)) * static_cast<double>(range[axis]));
    }
    return shift;
}

}  // namespace recon
