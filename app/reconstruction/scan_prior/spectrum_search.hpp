#pragma once

#include <optional>

#include "app/reconstruction/scan_prior/evidence/noise_balance.hpp"
#include "app/reconstruction/scan_prior/evidence/scan_evidence.hpp"
#include "app/reconstruction/scan_prior/response_moments.hpp"
#include "app/reconstruction/scan_prior/scan_solutions.hpp"
#include "app/reconstruction/scan_prior/terms/scan_term.hpp"

namespace recon {

/// The power spectrum of the image and the noise of its samples.
struct FoundSpectrum {
    ScanNoise noise;                      ///< of a sample of one coil
    NoiseLevel level;                     ///< its white part, and where its start came from
    double first_variance = 0;            ///< of that start
    NoiseBounds bounds;                   ///< of its white part
    double expected_sigma = 0;            ///< of noise acquisitions; 0: there were none
    std::optional<PowerSpectrum> power;   ///< P, for that noise
    Index frame_count = 1;                ///< whose k-space tells its shape
    ScanTerm term;                        ///< of both
    ScanTerm enveloped;                   ///< where there is an envelope; its deviations outlive its prior
    ResponseMoments response;             ///< to the data, for that
    std::optional<Array> noise_draw;      ///< E^H sqrt(w) sigma n of draw 0
    std::optional<NoiseBalance> balance;  ///< of the image and the sample of its error
    double energy = 0;                    ///< of the balance of the spectrum alone, which no image is to exceed
    int turns = 0;
};

/// Of the image and the sample of its error as they are. @param first  the image that `found.balance` is of
NoiseBalance balance_of(const ScanEvidence& evidence, const FoundSpectrum& found, const Array& first,
                        const ScanSolutions& solutions);

/// Steps 1 and 2 of the default image (docs/default-image.md), in turns: P as the shells of k-space tell it for a
/// noise; the image and a sample of its error for both; the noise that these leave over.
/// @param solutions  begin the prior of the last turn, which the deviations in the result outlive, and hold its image
FoundSpectrum find_spectrum(const ScanEvidence& evidence, ScanSolutions& solutions);
/// Its turns, until the noise is settled; once more, from where they ended, for solutions that were tightened
/// meanwhile.
void take_turns(const ScanEvidence& evidence, ScanSolutions& solutions, FoundSpectrum& found);
/// Whether the noise is the least that there can be (least_sigma).
bool is_at_precision(const ScanEvidence& evidence, const ScanNoise& noise);

/// The prior of P, from here on that of the solutions. The one before ends first.
void begin_spectrum(const ScanEvidence& evidence, FoundSpectrum& found, ScanSolutions& solutions);

}  // namespace recon
