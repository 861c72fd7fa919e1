#include "core/mri/sample_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/error.hpp"

namespace recon {
namespace {

double radius_squared(const Trajectory& trajectory, Index m) {
    double sum = 0;
    for (const std::vector<double>& component : trajectory.k) {
        sum += component[m] * component[m];
    }
    return sum;
}

bool has_equal_readouts(const Scan& scan, const Frame& frame) {
    return scan.samples_per_readout > 0 && frame.sample_count() % scan.samples_per_readout == 0;
}

bool several_contrasts(const Scan& scan) {
    return std::any_of(scan.frames.begin(), scan.frames.end(),
                       [&](const Frame& frame) { return frame.label.contrast != scan.frames.front().label.contrast; });
}

/// Mean time of the samples at position `s` of their readouts.
double mean_time(const Frame& frame, Index s, Index samples_per_readout) {
    double sum = 0;
    const Index readouts = frame.sample_count() / samples_per_readout;
    for (Index r = 0; r < readouts; ++r) {
        sum += frame.sample_times_s[r * samples_per_readout + s];
    }
    return sum / static_cast<double>(readouts);
}

void set_times(const Scan& scan, Frame& frame, const SampleTiming& timing) {
    const Index length = scan.samples_per_readout;
    const bool has_times = !frame.sample_times_s.empty();
    const Index centre = centre_sample(*frame.trajectory, length);
    std::vector<float> times(frame.sample_count());
    if (!timing.dwell_s) {
        const double shift = *timing.echo_time_s - mean_time(frame, centre, length);
        for (std::size_t m = 0; m < times.size(); ++m) {
            times[m] = static_cast<float>(frame.sample_times_s[m] + shift);
        }
    } else {
        const double dwell = *timing.dwell_s;
        const double echo = timing.echo_time_s ? *timing.echo_time_s
                            : has_times        ? mean_time(frame, centre, length)
                                               : static_cast<double>(centre) * dwell;
        for (Index m = 0; m < frame.sample_count(); ++m) {
            times[m] = static_cast<float>(echo + static_cast<double>(m % length - centre) * dwell);
        }
    }
    frame.sample_times_s = std::move(times);
}

}  // namespace

Index centre_sample(const Trajectory& trajectory, Index samples_per_readout) {
    std::vector<double> squares(samples_per_readout, 0.0);
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        squares[m % samples_per_readout] += radius_squared(trajectory, m);
    }
    // The first of those that are equally near but for rounding
    const double nearest = *std::min_element(squares.begin(), squares.end());
    const double farthest = *std::max_element(squares.begin(), squares.end());
    const auto first = std::find_if(squares.begin(), squares.end(),
                                    [&](double square) { return square <= nearest + 1e-9 * farthest; });
    return first - squares.begin();
}

void set_sample_times(Scan& scan, const SampleTiming& timing) {
    if (!timing.dwell_s && !timing.echo_time_s) {
        return;
    }
    if (timing.echo_time_s && several_contrasts(scan)) {
        throw InputError(scan.path +
                         ": has several contrasts, and `echo_time` is that of one; choose one with "
                         "`select` contrast=N");
    }
    DistinctLists<float> distinct;
    for (Frame& frame : scan.frames) {
        if (!has_equal_readouts(scan, frame)) {
            throw InputError(scan.path +
                             ": `dwell` and `echo_time` need readouts of equal length, and this scan's differ or are "
                             "not known; give sample times in the file");
        }
        if (!timing.dwell_s && frame.sample_times_s.empty()) {
            throw InputError(scan.path + ": does not give sample times that `echo_time` could move; give `dwell` too");
        }
        set_times(scan, frame, timing);
        frame.sample_times_s = distinct.shared(frame.sample_times_s);
    }
}

std::vector<float> from_their_mean(std::vector<float> times_s) {
    const double mean = std::accumulate(times_s.begin(), times_s.end(), 0.0) / static_cast<double>(times_s.size());
    for (float& time : times_s) {
        time = static_cast<float>(time - mean);
    }
    return times_s;
}

std::vector<std::string> sample_time_doubts(const Scan& scan, const Frame& frame) {
    std::vector<std::string> doubts;
    const auto& times = frame.sample_times_s;
    const auto [first, last] = std::minmax_element(times.begin(), times.end());
    constexpr float rounding_s = 1e-9F;
    if (*first < -rounding_s) {
        doubts.push_back(
            fmt::format("sample times begin {:.4g} ms before excitation; give `echo_time`", -1e3 * *first));
    }
    if (!has_equal_readouts(scan, frame) || scan.samples_per_readout < 2) {
        return doubts;
    }
    const Index length = scan.samples_per_readout;
    const Index readouts = frame.sample_count() / length;
    const double advance = mean_time(frame, length - 1, length) - mean_time(frame, 0, length);
    if (advance < 0) {
        doubts.push_back(fmt::format("sample times run backwards, {:.4g} ms in a readout", -1e3 * advance));
    } else if (advance == 0) {
        doubts.emplace_back("all samples of a readout have the same time");
    }
    Index later = 0;
    for (Index r = 1; r < readouts; ++r) {
        later += times[r * length] > times[r * length - 1] ? 1 : 0;
    }
    constexpr float longest_train_s = 0.3F;  // the readouts of an echo train do follow each other
    if (readouts > 2 && later == readouts - 1 && *last > longest_train_s) {
        doubts.push_back(
            fmt::format("sample times go on from readout to readout, up to {:.3g} s; they should be counted from each "
                        "readout's own excitation",
                        *last));
    }
    return doubts;
}

}  // namespace recon
