#pragma once

#include <span>
#include <vector>

#include "core/fourier/off_resonance_maps.hpp"
#include "core/fourier/time_segments.hpp"

namespace recon {

/// Off-resonance as the low-resolution images of a calibration see it: the maps at their resolution, and time counted
/// from the mean of the samples'. The images are then those of that moment, whose phase is common to the coils.
class CalibrationOffResonance {
public:
    /// @param maps  on `matrix_size`, at least one of them not empty
    /// @param coarse_size  voxels of the low-resolution images, over the same field of view
    /// @param sample_times_s  of the samples of the calibration, not empty
    CalibrationOffResonance(const OffResonanceMaps& maps, const PerAxis<Index>& matrix_size,
                            const PerAxis<Index>& coarse_size, std::vector<float> sample_times_s);

    OffResonanceMaps maps() const { return {off_resonance_hz_, relaxation_rate_per_s_}; }
    const TimeSegments& of_sums() const { return of_sums_; }          ///< exp(-z t), for F and F^H
    const TimeSegments& of_toeplitz() const { return of_toeplitz_; }  ///< exp(-(conj(z) + z') t), for F^H F

private:
    std::vector<float> off_resonance_hz_;       ///< [x y z] of the coarse grid
    std::vector<float> relaxation_rate_per_s_;  ///< likewise
    TimeSegments of_sums_;
    TimeSegments of_toeplitz_;
};

}  // namespace recon
