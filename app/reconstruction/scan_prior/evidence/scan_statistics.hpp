#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "core/mri/noise/noise_level.hpp"
#include "core/mri/priors/kspace_shells.hpp"
#include "core/mri/priors/power_spectrum.hpp"
#include "core/mri/priors/scan_noise.hpp"

namespace recon {

/// What a frame's k-space says of its image before there is one; the same on all ranks.
struct ScanStatistics {
    KspaceShells shells;                      ///< of all samples, unweighted
    PerAxis<double> stretch{1, 1, 1};         ///< A, if these are of |A k|
    std::optional<KspaceShells> series = {};  ///< of frames together that share a spectrum; none: this one alone
    std::vector<std::uint32_t> shell_of_sample = {};  ///< of this rank's
    double data_energy = 0;                           ///< |sqrt(w) d|^2
    double weight_sum = 0;                            ///< of w over samples and coils that measured anything
    double weight_square_sum = 0;
    double value_count = 0;  ///< samples times these coils
    Index coil_count = 0;    ///< that measured anything: others are all zero
    Index frame_count = 1;   ///< of `series`
    double coil_gain = 1;    ///< mean of sum_c |S_c|^2 over the sum-of-squares image

    /// What weights make of the variance of a sample: sum w^2 / sum w.
    double weighting() const { return weight_square_sum / weight_sum; }
    ScanNoise weighted(const ScanNoise& noise) const {
        return {weighting() * noise.white, weighting() * noise.relative};
    }
    /// A sample's energy of signal in one coil, as a part of P.
    double signal_share() const { return coil_gain / static_cast<double>(coil_count); }
    /// The same energy in a shell; 0 in one without samples.
    double signal_of(const PowerSpectrum& spectrum, std::size_t shell) const;
    double rms_of_data() const { return std::sqrt(data_energy / weight_sum); }
};

/// @param map_energy  `coil_energy` of the problem (app/reconstruction/problem/coil_energy.hpp)
ScanStatistics scan_statistics(const FrameProblem& problem, ConstArrayView map_energy);

struct FrameSpectrum {
    PowerSpectrum power;
    Index frame_count = 1;  ///< that tell its shape
};

/// The spectrum of a frame, for a sigma^2: that of its series, as bright as the frame is, unless its own is clearly
/// more likely.
FrameSpectrum spectrum_of(const ScanStatistics& statistics, double variance);

/// The noise to start with: of the noise acquisitions, else what is certainly none of the signal (certain_noise), else
/// of the edges of k-space, which may be texture.
NoiseLevel first_noise(const FrameProblem& problem);

/// |E rho - d|^2 in each of the shells, samples unweighted, of all ranks.
std::vector<double> residual_of_shells(const FrameProblem& problem, const ScanStatistics& statistics,
                                       ConstArrayView image);

/// E^H sqrt(w) n for unit white noise n, [x y z], of all ranks: the same however many there are.
/// @param deviations  n is multiplied by, [sample] of this rank; empty means 1
Array adjoint_of_white_noise(const FrameProblem& problem, Index draw, std::span<const double> deviations = {});

}  // namespace recon
