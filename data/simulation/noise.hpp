#pragma once

#include <cstdint>
#include <span>

#include "core/base/types.hpp"

namespace recon {

/// Adds complex Gaussian noise: E|n|^2 = standard_deviation^2, real and imaginary parts independent and alike.
///
/// Sample i of stream s under seed x depends on (x, s, i) alone, through the SplitMix64 generator used as a counter
/// [Steele 2014] and the Box-Muller transform: the same numbers for any number of threads and any standard library.
void add_noise(std::span<cfloat> values, double standard_deviation, std::uint64_t seed, std::uint64_t stream);

}  // namespace recon
