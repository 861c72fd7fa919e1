#include "app/reconstruction/check/positions/wrong_first_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/mri/check/unmeasured_samples.hpp"

namespace recon {
namespace {

/// From the centre of k-space, cycles per FOV: the largest of the samples at a place of the readouts.
double distance_at(const Scan& scan, Index place) {
    const Trajectory& trajectory = *scan.frames.front().trajectory;
    double distance = 0;
    for (Index m = place; m < trajectory.sample_count(); m += scan.samples_per_readout) {
        distance = std::max(distance, std::hypot(trajectory.k[0][m], trajectory.k[1][m], trajectory.k[2][m]));
    }
    return distance;
}

}  // namespace

std::string part_of_no_image(double before, double after) {
    return fmt::format("around the centre of k-space {:.1f} % of the data are of no image, and {:.1f} %", 100 * before,
                       100 * after);
}

std::optional<CheckFinding> wrong_first_samples(const CentreOutEstimate& found, const std::string& what_then) {
    if (!wrong_samples_are_the_reason(found)) {
        return std::nullopt;
    }
    const bool one = found.wrong_samples == 1;
    return CheckFinding{
        "first_samples",
        fmt::format(
            "the first {} of every readout {} not fit the others, as of a receiver that has not settled, or of signal "
            "that decays: {} "
            "without {}: {}",
            one ? "sample" : fmt::format("{} samples", found.wrong_samples), one ? "does" : "do",
            part_of_no_image(found.delays.disagreement_before, found.disagreement_without), one ? "it" : "them",
            what_then),
        ""};
}

std::string leave_out_first_samples(Scan& scan, const CentreOutEstimate& found) {
    constexpr double widest_gap = 1.5;  // cycles per FOV: a wider one loses more than a sample that is nearly right
    UnmeasuredSamples samples;
    samples.before = found.wrong_samples;
    if (distance_at(scan, samples.before + 1) <= widest_gap) {
        ++samples.before;
    }
    std::vector<UnmeasuredSamples> of_frames(scan.frames.size(), samples);
    drop_unmeasured(scan, of_frames);
    return fmt::format("first samples of every readout left out: {}", samples.before);
}

}  // namespace recon
