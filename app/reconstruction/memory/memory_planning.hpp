#pragma once

#include <functional>
#include <string>

#include "app/reconstruction/context/reconstruction_context.hpp"

namespace recon {

/// The work that a plan is for, or as much of it as takes the most memory.
using Course = std::function<void(const ReconstructionContext&)>;

/// Everything at once if it fits; else k-space by coil batches from the host, smaller pieces, coil maps from the host:
/// in the order of what they cost. The image is the same, up to the rounding of sums in another order.
/// @param rank_count  devices that divide the work as Division does; the plan is for the largest share
/// @param course  is followed on backends that book memory and compute nothing, with as few steps of solvers as show
/// all
/// @param calibration_places  of the scan: those that the course asks for are in it then
/// @throws DeviceError saying what the smallest pieces need, what there is, and what to do
MemoryPlan plan_memory(const Scan& scan, const Backend& backend, const ReconstructOptions& options, Index rank_count,
                       const Course& course, CalibrationPlaces& calibration_places);

/// Bytes of "500M", "2G", "1.5 GB" or "100000"; units of 1000, KiB, MiB and GiB of 1024, upper or lower case.
/// @param option  for messages
/// @throws UsageError for anything else, or for nothing at all
std::size_t parse_memory_size(const std::string& text, const std::string& option = "`memory_limit`");

}  // namespace recon
