#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/mri/image.hpp"
#include "core/mri/metrics/image_metrics.hpp"
#include "core/mri/priors/edge_leakage.hpp"

namespace recon::stone {

/// The image half of the study: noise, and anatomical constraints W from a proton image of the same head.
struct ImageSettings {
    Index size = 128;  ///< voxels along each axis
    double snr = 1.9;
    std::uint64_t seed = 2;
    int iterations = 60;             ///< with a prior
    int plain_iterations = 30;       ///< without
    std::vector<std::string> steps;  ///< of the ladder, whose sums make images with W in place; empty: all
    double time_limit_s = 60;        ///< for Q and F^H d of one step together: slower ones make no image
    std::string device = "auto";
    int thread_count = 0;
};

/// How far an image is from the truth, no scale fitted.
struct ImageFigures {
    Deviation all;     ///< in all voxels
    Deviation object;  ///< in those of the object (signal_mask of the truth)
};

/// One way to the image, through the program as it is.
struct ImageRow {
    std::string id;
    std::string title;
    ImageFigures figures{};
    std::optional<double> lambda{};  ///< chosen by the program
    int iterations = 0;
    double seconds = 0;         ///< of the whole reconstruction, Q included
    std::vector<cfloat> image{};  ///< [x y z]
};

/// The image from one step's Q and F^H d, W and its lambda in place.
struct StepImageRow {
    std::string id;
    std::string title;
    std::string skipped{};  ///< why; empty if it ran
    double q_seconds = 0;   ///< half of the differences
    double fhd_seconds = 0;
    ImageFigures figures{};
    double psnr_change_db = 0;  ///< against the image of sums in double
};

struct ImageReport {
    ImageSettings settings;
    Index sample_count = 0;
    Index readout_count = 0;
    std::string cpu;
    std::string gpu;               ///< or why there is none
    std::string proton_image;      ///< what W comes from
    std::optional<double> lambda;  ///< of W
    std::optional<EdgeLeakage> leakage;
    std::vector<ImageRow> rows;
    ImageFigures double_sums{};  ///< of the image that sums in double give, W in place
    std::vector<StepImageRow> steps;
    Image truth;
    Image prior_image;  ///< magnitude, on the same voxels
};

/// A sodium scan of a head along cones (23Na, one coil, dwell 20 us), reconstructed by gridding + FFT, by least squares
/// and with priors, the last of them anatomical with lambda chosen by the program; then the sums of each step of the
/// ladder with that W in place.
/// @param done, step_done  told of every row when it is finished
/// @throws UsageError for a step that does not exist or a size that cannot be; what `reconstruct` throws
ImageReport run_image_half(const ImageSettings& settings, const std::function<void(const ImageRow&)>& done,
                           const std::function<void(const StepImageRow&)>& step_done);

/// The largest |change of PSNR| among the steps that ran, and which it was; nothing if none ran.
std::optional<std::pair<std::string, double>> largest_change(const ImageReport& report);

}  // namespace recon::stone
