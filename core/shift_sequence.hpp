#pragma once

#include <cmath>

#include "core/types.hpp"

namespace recon {

/// Shifts that visit the places of a box evenly, the same in every run: fractional parts of `iteration` times the
/// powers of 1 / g, g^4 = g + 1. Nothing is shifted in iteration 0.
/// @return 0 <= shift < range of each axis
inline PerAxis<Index> shift_of_iteration(int iteration, const PerAxis<Index>& range) {
    constexpr PerAxis<double> steps{0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    PerAxis<Index> shift{};
    for (int axis = 0; axis < 3; ++axis) {
        const double turns = iteration * steps[axis];
        shift[axis] = static_cast<Index>((turns - std::floor(turns)) * static_cast<double>(range[axis]));
    }
    return shift;
}

}  // namespace recon
