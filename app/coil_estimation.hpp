#pragma once

#include "app/coil_options.hpp"
#include "core/backend.hpp"
#include "core/mri/calibration_region.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Coil maps from the centre of a frame's k-space, by the method of the options: gridding on the backend, the rest on
/// the host, the same for every backend.
class CoilEstimation {
public:
    /// @param frame, options  outlive this object
    CoilEstimation(const Frame& frame, const PerAxis<Index>& matrix_size, Index coil_count, const CoilOptions& options);

    /// @return [x y z coil]  @throws InputError if no sample near the centre holds signal
    std::vector<cfloat> maps(Backend& backend) const;

    /// Between the first and the last of the samples that are used; 0 if times are unknown.
    double time_spread_s() const;

    /// What that takes on the backend, and on the host: there besides the maps, and at most.
    std::size_t backend_bytes(const Backend& backend, std::size_t piece_bytes) const;
    std::size_t host_bytes() const;

private:
    const Frame& frame_;
    PerAxis<Index> matrix_size_;
    Index coil_count_;
    const CoilOptions& options_;
    CalibrationRegion region_;
    Index sample_count_;  ///< in the region
};

}  // namespace recon
