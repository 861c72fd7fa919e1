#pragma once

#include <vector>

#include "app/pipeline/run_control.hpp"
#include "app/reconstruction/frame_result.hpp"
#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/devices/team.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Least-squares images of all frames of a scan: rho = argmin |E rho - d|^2 + sum_i lambda_i Q(0) |W_i rho|^2.
/// Frames on one trajectory share Q. K-space that is on demand is in memory for one frame at a time.
/// @param scan  prewhitened in place where it has a noise scan
/// @return in the order of the scan's frames
/// @param backend  one device, or a team of them that divides the coils; the samples, where devices outnumber coils.
/// Groups of processes may divide the frames (Team::groups); the results are those of rank 0, on other processes there
/// are none
/// @throws Cancelled if that was asked for; Error of the kind that belongs to the cause
std::vector<FrameResult> reconstruct(Scan& scan, Backend& backend, const ReconstructOptions& options,
                                     RunControl& control);
std::vector<FrameResult> reconstruct(Scan& scan, const Team& team, const ReconstructOptions& options,
                                     RunControl& control);

/// How that would use the memory there is, found by following its own course (plan_memory).
/// @param scan  as it is after its coils have been prepared  @throws DeviceError if it does not fit
MemoryPlan plan_of_reconstruction(const Scan& scan, const Backend& backend, const ReconstructOptions& options,
                                  Index rank_count = 1);

}  // namespace recon
