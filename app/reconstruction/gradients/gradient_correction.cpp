#include "app/reconstruction/gradients/gradient_correction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/parse_number.hpp"
#include "core/mri/gradients/gradient_delays.hpp"
#include "data/reading/impulse_response_file.hpp"

namespace recon {
namespace {

using Corrected = std::function<std::shared_ptr<const Trajectory>(const Frame&)>;

/// Whether the readouts of the calibration may be taken for those of the image: of their length, with times if they
/// have.
bool is_like_the_image(const Frame& calibration, const Scan& scan) {
    const bool is_whole = scan.samples_per_readout > 0 && calibration.sample_count() % scan.samples_per_readout == 0;
    return is_whole && calibration.sample_times_s.empty() == scan.frames.front().sample_times_s.empty();
}

/// Frames that share positions go on sharing them.
void replace_positions(Scan& scan, const Corrected& corrected) {
    std::map<const Trajectory*, std::shared_ptr<const Trajectory>> done;
    std::vector<std::shared_ptr<const Trajectory>> before;  // kept, so that no address comes twice
    const auto replace = [&](Frame& frame) {
        before.push_back(frame.trajectory);
        std::shared_ptr<const Trajectory>& result = done[frame.trajectory.get()];
        if (!result) {
            result = corrected(frame);
        }
        frame.trajectory = result;
    };
    std::ranges::for_each(scan.frames, replace);
    for (Frame& frame : scan.calibration) {
        if (is_like_the_image(frame, scan)) {
            replace(frame);
        } else {
            log_warning("{}: the calibration scan keeps its positions: its readouts are not of {} samples", scan.path,
                        scan.samples_per_readout);
        }
    }
}

GradientDelays parse_delays(const std::vector<std::string>& texts) {
    constexpr double most = 1000;
    GradientDelays delays;
    for (std::size_t axis = 0; axis < texts.size(); ++axis) {
        const auto value = parse_number<double>(texts[axis]);
        if (!value || !(std::abs(*value) <= most) || texts.size() > 3) {
            throw UsageError(
                fmt::format("`gradient_delays` {}: expected auto, or one to three numbers: samples along x, "
                            "y, z",
                            fmt::join(texts, " ")));
        }
        delays.samples[axis] = *value;
    }
    return delays;
}

std::optional<double> dwell_s(const Scan& scan) {
    const SharedList<float>& times = scan.frames.front().sample_times_s;
    if (times.size() < 2 || scan.samples_per_readout < 2) {
        return std::nullopt;
    }
    return static_cast<double>(times[1]) - times[0];
}

}  // namespace

RunRecord correct_gradients(Scan& scan, const GradientOptions& options) {
    RunRecord record = RunRecord::object();
    if (!options.impulse_response.empty()) {
        const GradientImpulseResponse response = read_impulse_response(options.impulse_response);
        replace_positions(scan, [&](const Frame& frame) {
            const std::vector<float> times(frame.sample_times_s.begin(), frame.sample_times_s.end());
            return filtered(*frame.trajectory, times, scan.samples_per_readout, response);
        });
        log_info("positions of the samples follow the gradient impulse response in {}, {} taps",
                 options.impulse_response, response.times_s.size());
        record["impulse_response"] = options.impulse_response;
    }
    if (options.delays.empty() || options.are_found()) {
        return record;
    }
    const GradientDelays delays = parse_delays(options.delays);
    log_info("gradient delays, in samples: {}", delays.text());
    record.update(delay_record(scan, delays));
    move_by_delays(scan, delays);
    return record;
}

RunRecord delay_record(const Scan& scan, const GradientDelays& delays) {
    RunRecord record = RunRecord::object();
    record["delay_samples"] = delays.samples;
    record["cross_delay_samples"] = delays.cross;
    if (const std::optional<double> dwell = dwell_s(scan)) {
        record["delay_us"] = {delays.samples[0] * *dwell * 1e6, delays.samples[1] * *dwell * 1e6,
                              delays.samples[2] * *dwell * 1e6};
    }
    return record;
}

void move_by_delays(Scan& scan, const GradientDelays& delays) {
    replace_positions(scan,
                      [&](const Frame& frame) { return delayed(*frame.trajectory, scan.samples_per_readout, delays); });
}

}  // namespace recon
