#pragma once

#include <cstdint>
#include <span>

#include "core/base/types.hpp"

namespace recon {

/// Independent numbers (+-1 +- i) / sqrt(2): mean 0, E|n|^2 = 1, E n^2 = 0, as unit white noise has them, for products
/// of which nothing but the covariance counts; they estimate a trace with the least scatter [Hutchinson 1990].
/// Number i of a stream depends on (stream, first + i) alone: the same for any division into parts.
void fill_white(std::uint64_t stream, Index first, std::span<cfloat> values);

}  // namespace recon
