#pragma once

#include <vector>

#include "app/reconstruction/coils/coil_calibration.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Some samples of a frame in cycles of a field of view that is wider along the axes that can tell what is beyond.
struct WideSamples {
    static constexpr double widening = 2;

    PerAxis<double> factor{1, 1, 1};
    PerAxis<Index> matrix_size;
    std::vector<Index> numbers;  ///< in the frame
    Trajectory trajectory;       ///< of these

    /// Of some readouts that nothing regular leaves out, within `most_cycles`.
    WideSamples(const Scan& scan, const Frame& frame, double most_cycles);

    bool can_tell() const { return factor != PerAxis<double>{1, 1, 1}; }
    /// Those in the region, of few sums of coils with phases of their own: where a coil sees something, so do these.
    CalibrationSamples of_few_coils(const CalibrationRegion& region, const AllCoils& kspace, Index most_coils) const;
    /// Such samples in cycles of the field of view itself.
    CalibrationSamples in_field_of_view(CalibrationSamples samples) const;
};

}  // namespace recon
