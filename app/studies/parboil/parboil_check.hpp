#pragma once

#include <span>

#include "core/base/types.hpp"

namespace recon {

/// How far an output is from Parboil's reference, and its verdict by the rule of Parboil's tools/compare-output: real
/// and imaginary parts apart, a number is right if |difference| <= 1e-4 max|expected| or |difference| < 0.002
/// |expected|.
struct ParboilCheck {
    double largest_difference;   ///< of a real or an imaginary part
    double largest_expected;     ///< modulus
    double relative_difference;  ///< |found - expected| / |expected|, L2
    Index wrong_count;           ///< numbers outside of the tolerance
    Index number_count;          ///< real and imaginary parts

    bool passed() const { return wrong_count == 0; }
};

/// @throws InputError if the lengths differ
ParboilCheck check_as_parboil(std::span<const cfloat> found, std::span<const cfloat> expected);

}  // namespace recon
