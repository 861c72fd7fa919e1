#pragma once

#include <vector>

#include "core/fourier/trajectory.hpp"

namespace recon {

/// The beginnings of readouts that leave the centre of k-space: of half-spokes, arms of spirals, cones.
struct CentreOutReadouts {
    std::vector<Index> samples;  ///< of the frame, readout after readout, each with the same number of them
    Index length = 0;            ///< of a beginning; 0: there are none
    PerAxis<bool> axes{};        ///< along which they move
    double cycle = 0;            ///< samples that they take for the first cycle per FOV, in the median

    Trajectory positions(const Trajectory& all) const;
};

/// How far from the centre samples count as around it, cycles per FOV: a volume has more of them.
double radius_of_centre(const PerAxis<bool>& axes);

/// Those of a frame whose readouts leave the centre, as far as radius_of_centre and a cycle more; of many, some, spread
/// evenly over them.
/// @param axes  of the image  @param most_samples  in all, about
CentreOutReadouts centre_out_readouts(const Trajectory& trajectory, Index samples_per_readout,
                                      const PerAxis<bool>& axes, Index most_samples);

}  // namespace recon
