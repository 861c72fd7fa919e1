#pragma once

#include <vector>

#include "app/reconstruction/options/regularisation_options.hpp"
#include "core/base/named_array.hpp"
#include "core/mri/check/check_finding.hpp"
#include "core/mri/noise/noise_level.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
#include "solver/archive.hpp"

namespace recon {

/// Of `model_error`: above it the image is further from the truth than predicted.
constexpr double clearly_wrong_model = 0.1;

/// What a scan says of its own image (docs/default-image.md), and how far the image that follows may be wrong.
struct ScanPriorReport {
    ScanPrior used = ScanPrior::none;    ///< none: there was too little to tell a prior by
    NoiseLevel noise;                    ///< of a sample of one coil, as it was found
    bool noise_is_at_precision = false;  ///< less is not told from rounding
    double model_error = 0;              ///< errors of the model in k-space, as a part of the signal there
    NoiseLevel expected;                 ///< of noise acquisitions, or as the data show it by themselves; or unknown
    Index coil_count = 0;                ///< that measured anything
    Index frame_count = 1;               ///< whose k-space tells the shape of the spectrum
    std::vector<double> k_per_mm;        ///< knots of the spectrum
    std::vector<double> power;           ///< there
    PerAxis<double> stretch{1, 1, 1};    ///< A: it is a function of |A k|
    double exponent = 0;                 ///< of the spectrum, above the noise
    double predicted_error = 0;          ///< of the image, what is unresolved included, over |rho|; 0: unknown
    double unresolved = 0;               ///< of it, detail finer than the voxels, over |rho|
    std::vector<double> error_course;    ///< predicted errors of the images on the way, the last one's among them
    std::vector<double> error_course_iterations;  ///< after how many of all solutions together
    double resolution_mm = 0;       ///< effective, in smooth tissue; in voxels where their size is unknown; 0 likewise
    double edge_resolution_mm = 0;  ///< at edges
    double voxel_mm = 0;            ///< geometric mean; 0 where unknown
    int noise_turns = 0;
    int local_passes = 0;
    double local_share = 1;      ///< of the last of them in the image; the rest is of the spectrum
    int iterations = 0;          ///< of all solutions together
    bool is_unfinished = false;  ///< the last solution, of image or error, took all the iterations that there are
    NamedArray sd;               ///< standard deviation of the error, [x y z]; without a name if it was not asked for
    NamedArray noise_sd;         ///< of what noise alone moves, likewise

    /// Leaves what holds of the scan, whatever its image.
    void forget_image();
};

/// For an image that is kept.
void visit(Archive& archive, ScanPriorReport& report);

/// One line of what was found, and warnings of what is odd about it.
/// @param is_told  whether error and resolution are: another image may be solved for with it, or none
void log_scan_prior(const ScanPriorReport& report, bool is_told);

/// Doubts about the scan that the verdict of the run counts: where most of the signal is neither image nor noise.
std::vector<CheckFinding> judge_model(const ScanPriorReport& report);

/// For the record of the run.
RunRecord scan_prior_record(const ScanPriorReport& report);

}  // namespace recon
