#pragma once

#include "app/reconstruction/scan_prior/evidence/scan_statistics.hpp"
#include "core/mri/priors/scan_noise.hpp"

namespace recon {

/// Draws of the noise of a scan's samples as its right side has it.
class NoiseDraws {
public:
    /// @param problem, statistics  outlive the draws
    NoiseDraws(const FrameProblem& problem, const ScanStatistics& statistics);

    /// E^H sqrt(w) sigma n, [x y z], sigma that of the sample: n is the same for the same number of a draw.
    Array of_data(Index draw, const ScanNoise& noise, const PowerSpectrum& spectrum) const;

private:
    std::vector<double> deviations_of_samples(const ScanNoise& noise, const PowerSpectrum& spectrum) const;

    const FrameProblem& problem_;
    const ScanStatistics& statistics_;
    Array first_white_;  ///< E^H sqrt(w) n of draw 0
};

}  // namespace recon
