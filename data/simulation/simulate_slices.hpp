#pragma once

#include "data/simulation/simulate_scan.hpp"

namespace recon {

/// Simulates parallel slices through the object, each with coil maps of its own, and each as simulate_scan has one: of
/// `options.slice_count`, number floor(n/2) lies at the section, the others `options.slice_distance_mm` apart along z.
/// Slices have no thickness in the object; that of the voxels is their distance. All have the same trajectory.
/// @return truth [x y z frame]; noise of one standard deviation, that of the slice at the section, and other numbers in
///         each frame
/// @throws UsageError as simulate_scan, and for scans that are not of a plane x y, slices beyond the object, and
///         off-resonance, of which a scan has one map
Simulation simulate_slices(const SimulationOptions& options);

}  // namespace recon
