#pragma once

#include "data/simulation/simulate_scan.hpp"

namespace recon {

/// Simulates a series of `options.frame_count` repetitions, 2 or more, in which the contrast of the head goes evenly
/// from that of the proton phantom to that of the sodium phantom: any frame is a combination of two images, as after a
/// contrast agent or along an inversion recovery.
///
/// With golden-angle readouts each frame has readouts of its own, which go on where those of the frame before
/// ended; any other trajectory is the same for all frames.
/// @return truth [x y z frame]; noise of one standard deviation, that of the first frame, and other numbers in each
/// @throws UsageError as simulate_scan, and for a phantom that has no second contrast
Simulation simulate_series(const SimulationOptions& options);

}  // namespace recon
