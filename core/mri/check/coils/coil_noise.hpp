#pragma once

#include <vector>

#include "core/mri/all_coils.hpp"

namespace recon {

/// The noise of each coil by itself, [coil].
struct CoilNoise {
    std::vector<double> sigma;  ///< sqrt(E|n|^2) of a sample; 0: unknown
    std::vector<double> part;   ///< of what the coil measured that is noise, as a ratio of root mean squares

    void leave_out(const std::vector<Index>& coils);  ///< they count as unknown
    /// Root mean square of those coils whose noise is known; 0: none is.
    double mean_sigma(const std::vector<Index>& coils) const;
};

/// From a few readouts of a frame, as noise_level_of_edges finds it.
CoilNoise coil_noise(const AllCoils& kspace, const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                     Index samples_per_readout);

/// Coils whose noise stands out: five times that of the others, by itself and as a part of what the coil measured, of
/// which it is most. @return none of fewer than three coils with known noise
std::vector<Index> noisy_coils(const CoilNoise& noise);

}  // namespace recon
