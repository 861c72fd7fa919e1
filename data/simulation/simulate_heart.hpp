#pragma once

#include "data/simulation/simulate_scan.hpp"

namespace recon {

/// Simulates a scan of the beating heart over several beats: `options.frame_count` phases of the beat, to which its
/// readouts are sorted. Every readout sees the object as it is at its own time, from the object's exact Fourier
/// transform; a frame's readouts lie anywhere within its phase, and in several beats.
///
/// Golden-angle readouts go on turning from the first to the last of the scan; of any other trajectory each beat
/// measures the next few readouts in every phase.
/// @return truth [x y z frame], the object in the middle of each phase, and the area of its cavity then
/// @throws UsageError as simulate_scan, and for an object that is no slice
Simulation simulate_heart(const SimulationOptions& options);

}  // namespace recon
