#pragma once

#include "core/mri/check/image/residual_shares.hpp"
#include "core/operators/encoding.hpp"
#include "core/operators/kspace_batches.hpp"
#include "core/parallel/division.hpp"

namespace recon {

/// |E rho - d| / |d| over the k-space of all ranks, 0 if d is; and where in k-space the difference lies.
/// @param kspace  d of this rank, with the square root of weights where samples are weighted, as in the encoding
/// @param sample_count  of all ranks
/// @param shares  overwritten; the same on all ranks
double data_residual_by_parts(const Encoding& encoding, ConstArrayView image, const KspaceBatches& kspace,
                              const Division& division, Index sample_count, ResidualShares& shares);

}  // namespace recon
