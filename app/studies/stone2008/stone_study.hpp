#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/mri/metrics/image_metrics.hpp"
#include "gpu/ladder/ladder_step.hpp"

namespace recon::stone {

/// The times half of the study.
struct Settings {
    Index size = 64;            ///< voxels along each axis
    Index samples = 3'200'000;  ///< about so many
    double snr = 20;
    std::uint64_t seed = 1;
    int iterations = 30;
    std::vector<std::string> steps;  ///< ids of rows; empty: all
    int repeat = 1;
    double time_limit_s = 10;  ///< of one run of one sum
    std::string device = "auto";
    int thread_count = 0;
};

/// Time of Q or of F^H d.
struct SumTime {
    double seconds = 0;  ///< median of the repeats, the sums alone
    double part = 1;     ///< of the samples that was computed; below 1 the time is extrapolated from it
    double flops = 0;    ///< operations per second by the originals' counting; 0 for the NUFFT, which has no pairs
    bool extrapolated() const { return part < 1; }
};

/// Where the image of a row comes from.
enum class ImageOrigin {
    none,       ///< a sum was extrapolated, so there is no image
    own,        ///< of the row's own Q and F^H d
    reference,  ///< of the product's sums in double, which are exact to the rounding of the row's precision
};

/// One way to the image.
struct Row {
    std::string id;
    std::string title;
    std::string skipped{};       ///< why; empty if it ran
    std::optional<SumTime> q{};  ///< none for gridding
    SumTime fhd{};               ///< for gridding: spreading and FFT
    double solver_seconds = 0;
    ImageOrigin image_origin = ImageOrigin::none;
    std::optional<Deviation> image{};  ///< against the truth, no scale fitted
    std::string remark{};

    /// As the papers count it: Q is computed once a trajectory, and stands by itself.
    double reconstruction_seconds() const { return fhd.seconds + solver_seconds; }
    bool extrapolated() const { return fhd.extrapolated() || (q && q->extrapolated()); }
};

struct Report {
    Settings settings;
    Index sample_count = 0;
    Index readout_count = 0;
    Index q_voxel_count = 0;
    std::string cpu;
    std::string gpu;             ///< or why there is none
    double density_seconds = 0;  ///< of the weights for gridding, not in its time
    std::vector<Row> rows;
};

/// Runs the experiment of [Stone 2008]: a simulated 3-D spiral scan of a known volume, reconstructed by gridding + FFT
/// and by least squares with Q and F^H d from every step of the ladder for one device.
///
/// Q is summed at all differences of two voxels, as in the paper, although half of them would do. A sum that would take
/// longer than the time limit runs on a part of the samples, and its time is extrapolated in proportion.
/// @param done  told of every row when it is finished. @throws UsageError for a row that does not exist
Report run_study(const Settings& settings, const std::function<void(const Row&)>& done);

/// Ids and titles of the rows, in order.
std::vector<std::pair<std::string, std::string>> row_names();

}  // namespace recon::stone
