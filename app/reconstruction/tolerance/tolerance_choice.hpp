#pragma once

#include <string>

#include "app/pipeline/run_control.hpp"
#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/mri/noise/noise_level.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// The relative error of the time segments of F^H F, and of the sums by which images are judged, and where it is from,
/// for the record.
struct ChosenTolerance {
    double tolerance = 0;
    std::string source;  ///< "given", "precision", or where the noise was found
    NoiseLevel noise;    ///< of the data; unknown where it was not looked for
};

/// What was asked for; else as large as the noise of the scan allows, whose image the error shall change by no more
/// than 2 % of what the noise does: 1e-6, or from 5e-6 to 1e-2 in steps of 1, 2 and 5. Where the noise is unknown, in
/// double precision and with exact sums throughout, what the precision allows. Not of F^H d and Q, against whose error,
/// where samples leave gaps, nothing but the prior holds (docs/accuracy-check.md). Once for a scan: its first frame
/// speaks for all.
/// @param scan  after whitening and compression of its coils; its first frame stays in memory
ChosenTolerance choose_tolerance(Scan& scan, const ReconstructOptions& options, RunControl& control);

}  // namespace recon
