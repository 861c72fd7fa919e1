#include "data/simulation/heart/heart_beat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/heart/cpu_excitation.hpp"
#include "data/files/hdf5_file.hpp"

namespace recon {
namespace {

constexpr double model_unit_s = 0.0129;  // [AlievPanfilov1996]
constexpr double rate_of_rise = 0.15, rate_of_fall = 0.1, excited = 0.05;
constexpr double coupling_degrees = 12;  ///< standard deviation of the Gaussian by which neighbours pull along

/// E around the ring, at even times from the begin of a beat on.
struct Activation {
    double duration_s = 0;
    std::vector<std::vector<double>> around;  ///< [step][point]
};

/// E of a sheet at the points of a circle about its centre, between four cells each.
template <class Values>
std::vector<double> around_circle(const Values& values, Index size, double radius) {
    std::vector<double> result;
    for (Index point = 0; point < HeartBeat::point_count; ++point) {
        const double angle = 2 * pi * static_cast<double>(point) / HeartBeat::point_count;
        const auto n = static_cast<double>(size);
        const double x = std::clamp((0.5 + radius * std::cos(angle)) * n - 0.5, 0.0, n - 1.001);
        const double y = std::clamp((0.5 + radius * std::sin(angle)) * n - 0.5, 0.0, n - 1.001);
        const auto column = static_cast<Index>(x), row = static_cast<Index>(y);
        const double right = x - static_cast<double>(column), below = y - static_cast<double>(row);
        const auto at = [&](Index r, Index c) { return static_cast<double>(values[r * size + c]); };
        result.push_back((1 - below) * ((1 - right) * at(row, column) + right * at(row, column + 1)) +
                         below * ((1 - right) * at(row + 1, column) + right * at(row + 1, column + 1)));
    }
    return result;
}

/// A beat that starts where the ring meets the left: a small circle on the sheet, which a wave passes in about 0.1 s.
Activation paced_beat(const HeartBeatOptions& options) {
    constexpr double ring_radius = 0.06, pacemaker_radius = 0.03, scar_inner = 0.03, scar_outer = 0.12;
    constexpr Index size = 200, steps_a_frame = 10;
    ExcitationSetup setup;
    setup.size = size;
    setup.time_step = setup.model.stable_time_step(size);
    if (options.scar_degrees > 0) {
        setup.tissue =
            ExcitationTissue{std::vector<double>(size * size, 1), std::vector<double>(size * size, setup.model.a)};
    }
    ExcitationState start;
    start.size = size;
    start.excitation.assign(size * size, 0);
    start.recovery.assign(size * size, 0);
    for (Index row = 0; row < size; ++row) {
        for (Index column = 0; column < size; ++column) {
            const double x = (static_cast<double>(column) + 0.5) / size - 0.5;
            const double y = (static_cast<double>(row) + 0.5) / size - 0.5;
            start.excitation[row * size + column] = std::hypot(x + ring_radius, y) < pacemaker_radius ? 1 : 0;
            const double radius = std::hypot(x, y), degrees = std::abs(std::atan2(y, x)) * 180 / pi;
            if (setup.tissue && radius > scar_inner && radius < scar_outer && degrees < options.scar_degrees / 2) {
                setup.tissue->conductivity[row * size + column] = 0;
            }
        }
    }
    const std::unique_ptr<Excitation> sheet = make_cpu_excitation(setup, 1);
    sheet->set_state(start);
    Activation activation;
    activation.duration_s = 60 / options.beats_a_minute;
    const auto frames = static_cast<Index>(
        std::ceil(activation.duration_s / model_unit_s / (setup.time_step * static_cast<double>(steps_a_frame))));
    for (Index frame = 0; frame < frames; ++frame) {
        activation.around.push_back(around_circle(sheet->state().excitation, size, ring_radius));
        sheet->advance(steps_a_frame);
    }
    return activation;
}

Activation recorded_beat(const std::string& path) {
    constexpr double ring_radius = 0.35;
    const H5File file = H5File::open(path);
    const H5Info info = file.dataset_info("/excitation");
    if (info.extents.size() != 3 || info.extents[0] < 2 || info.extents[1] != info.extents[2] ||
        info.extents[1] < least_excitation_size) {
        throw InputError(
            fmt::format("{}: /excitation is {}, expected two or more frames of a square sheet, as recon "
                        "heart writes them with `every`",
                        path, info.text()));
    }
    const Index frames = info.extents[0], size = info.extents[1];
    const std::vector<double> times = file.read<double>("/time");
    const double duration = static_cast<Index>(times.size()) == frames ? times.back() - times.front() : 0;
    if (!(duration > 0)) {
        throw InputError(path + ": /time does not rise from frame to frame");
    }
    Activation activation;
    activation.duration_s = duration * model_unit_s;
    for (Index frame = 0; frame < frames; ++frame) {
        activation.around.push_back(around_circle(file.read_rows<float>("/excitation", frame, 1), size, ring_radius));
    }
    return activation;
}

/// Weighted mean over the points beside each other on the ring.
std::vector<double> coupled(const std::vector<double>& tension) {
    constexpr Index count = HeartBeat::point_count;
    const double sigma = coupling_degrees / 360 * count;
    const auto reach = static_cast<Index>(3 * sigma);
    std::vector<double> result(count);
    for (Index point = 0; point < count; ++point) {
        double sum = 0, weights = 0;
        for (Index away = -reach; away <= reach; ++away) {
            const double weight = std::exp(-0.5 * std::pow(static_cast<double>(away) / sigma, 2));
            sum += weight * tension[(point + away + count) % count];
            weights += weight;
        }
        result[point] = sum / weights;
    }
    return result;
}

}  // namespace

HeartBeat::HeartBeat(const HeartBeatOptions& options) {
    if (!(options.beats_a_minute >= 20 && options.beats_a_minute <= 300)) {
        throw UsageError(fmt::format("`heart_rate`: {}, expected 20 to 300 beats a minute", options.beats_a_minute));
    }
    if (!(options.scar_degrees >= 0 && options.scar_degrees <= 180)) {
        throw UsageError(fmt::format("`scar`: {}, expected 0 to 180 degrees", options.scar_degrees));
    }
    const Activation activation =
        options.activation_file.empty() ? paced_beat(options) : recorded_beat(options.activation_file);
    duration_s_ = activation.duration_s;
    step_count_ = static_cast<Index>(activation.around.size());
    const double step = duration_s_ / model_unit_s / static_cast<double>(step_count_);
    std::vector<double> tension(point_count, 0);
    for (int beat = 0; beat < 2; ++beat) {  // the first leaves what the second begins with
        contraction_.clear();
        for (const std::vector<double>& e : activation.around) {
            for (Index point = 0; point < point_count; ++point) {
                const double rate = e[point] > excited ? rate_of_rise : rate_of_fall;
                const double target = std::clamp(e[point], 0.0, 1.0);
                tension[point] = target + (tension[point] - target) * std::exp(-rate * step);
            }
            const std::vector<double> pulled = coupled(tension);
            contraction_.insert(contraction_.end(), pulled.begin(), pulled.end());
        }
    }
}

std::vector<double> HeartBeat::contraction(double time_s) const {
    double beats = time_s / duration_s_;
    beats -= std::floor(beats);
    const double place = beats * static_cast<double>(step_count_);
    const Index before = static_cast<Index>(place) % step_count_, after = (before + 1) % step_count_;
    const double share = place - std::floor(place);
    std::vector<double> result;
    for (Index point = 0; point < point_count; ++point) {
        result.push_back((1 - share) * contraction_[before * point_count + point] +
                         share * contraction_[after * point_count + point]);
    }
    return result;
}

}  // namespace recon
