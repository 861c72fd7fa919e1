#pragma once

#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// The part of a frame's samples that a coarser image needs.
struct CoarseScan {
    PerAxis<Index> matrix_size;
    std::vector<Index> samples;  ///< indices in the frame
    Trajectory trajectory;       ///< with its origin at the echo
    std::vector<float> times_s;  ///< from the mean time of these samples
    std::vector<float> map_hz;
};

/// A frame at the lowest resolution, down to 32 voxels an axis, whose samples still see four turns of phase between the
/// 5th and the 95th percentile of the scan's field map, or three quarters of the readout's time. Of volumes never more
/// than 32^3 voxels or so, of images 2^17.
/// @param frame  of the scan, with sample times and k-space
CoarseScan coarse_scan(const Scan& scan, const Frame& frame);
/// The same at the resolution of the image.
CoarseScan fine_scan(const Scan& scan, const Frame& frame);

/// The part of the variance of the samples' times that a linear function of k explains, 0 to 1.
double times_along_k(const CoarseScan& coarse);

}  // namespace recon
