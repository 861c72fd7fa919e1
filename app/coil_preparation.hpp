#pragma once

#include <memory>
#include <span>

#include "app/reconstruction_context.hpp"
#include "app/trajectory_plans.hpp"
#include "core/operators/coil_sensitivity.hpp"

namespace recon {

/// Noise prewhitening of k-space and coil maps, in place, where the scan has a noise scan.
/// @throws InputError if the noise scan determines no covariance
void prepare_coils(Scan& scan, const CoilOptions& options);

/// The coil maps of this rank's coils: those of the scan, or estimated from k-space; none for one coil without a map.
/// @param own_kspace  [sample coil] of this rank
/// @throws InputError if no maps can be estimated
CoilSensitivity coil_sensitivity(const ReconstructionContext& context, TrajectoryPlans& plans,
                                 std::span<const cfloat> own_kspace);

/// The coils of this rank in the normal product; a rank without any takes one that sees nothing.
std::shared_ptr<const CoilSensitivity> coils_of_normal(const ReconstructionContext& context,
                                                       const std::shared_ptr<const CoilSensitivity>& coils);

}  // namespace recon
