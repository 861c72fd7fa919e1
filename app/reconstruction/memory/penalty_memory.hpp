#pragma once

#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/backend/plan_sizes.hpp"

namespace recon {

/// What the terms that are no squares and their solver take, beside the three images of conjugate gradients and the
/// normal product; nothing if there are none.
/// @param frame_count  of frames that are solved for at once
PlanBytes penalty_bytes(const ReconstructOptions& options, const PerAxis<Index>& matrix_size, Index frame_count);

/// The same on the host, per frame: what the amplitude is found from.
std::size_t penalty_host_bytes(const ReconstructOptions& options, const PerAxis<Index>& matrix_size);

}  // namespace recon
