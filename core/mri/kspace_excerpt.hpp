#pragma once

#include <vector>

#include "core/mri/all_coils.hpp"

namespace recon {

/// A few whole readouts of a frame, spread over all of it; where readouts are unknown, a few samples. In an order of
/// which every beginning is spread as well.
struct KspaceExcerpt {
    Trajectory trajectory;
    std::vector<cfloat> kspace;  ///< [sample coil]
    Index coil_count = 1;
    Index samples_per_readout = 0;  ///< 0: samples that have nothing to do with their neighbours
    double share = 1;               ///< of the frame's samples

    /// @param most_samples  about as many, one readout at least
    static KspaceExcerpt of(const AllCoils& kspace, const Trajectory& trajectory, Index samples_per_readout,
                            Index most_samples);

    Index sample_count() const { return trajectory.sample_count(); }
    Index readout_count() const { return samples_per_readout > 0 ? sample_count() / samples_per_readout : 0; }
};

}  // namespace recon
