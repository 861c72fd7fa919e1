#include "data/simulation/trajectories/readout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Of the limits, left as room for the finite steps below and for the scanner's own corrections.
constexpr double acceleration_margin = 0.97;

/// Time between excitation and the first sample, for the end of the pulse and switching to reception.
constexpr double earliest_sample_s = 100e-6;

double distance(const PerAxis<double>& a, const PerAxis<double>& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Curvature of the circle through three points: 4 area / product of the sides.
double curvature(const PerAxis<double>& a, const PerAxis<double>& b, const PerAxis<double>& c) {
    const double ab = distance(a, b);
    const double bc = distance(b, c);
    const double ca = distance(c, a);
    const double product = ab * bc * ca;
    PerAxis<double> u{};
    PerAxis<double> v{};
    for (int axis = 0; axis < 3; ++axis) {
        u[axis] = b[axis] - a[axis];
        v[axis] = c[axis] - a[axis];
    }
    const double area2 = std::hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
    return product > 0 ? 2 * area2 / product : 0;
}

double path_length(const UnitPath& path, Index steps) {
    double length = 0;
    PerAxis<double> before = path(0);
    for (Index i = 1; i <= steps; ++i) {
        const PerAxis<double> here = path(static_cast<double>(i) / static_cast<double>(steps));
        length += distance(before, here);
        before = here;
    }
    return length;
}

/// Eight pieces for every cycle per field of view, within sane bounds.
Index step_count(const UnitPath& path, Index extent) {
    const double cycles = path_length(path, 1024) * static_cast<double>(extent) / 2;
    return std::clamp<Index>(static_cast<Index>(8 * cycles), 1024, 200000);
}

}  // namespace

UnitLimits unit_limits(const TrajectoryRequest& request) {
    double k_per_m = 0;  // of one unit
    for (int axis = 0; axis < 3; ++axis) {
        if (request.matrix_size[axis] > 1) {
            k_per_m = std::max(
                k_per_m, static_cast<double>(request.matrix_size[axis]) / 2 / (request.field_of_view_mm[axis] * 1e-3));
        }
    }
    const GradientLimits& limits = request.limits;
    return {limits.gyromagnetic_ratio_hz_per_t * limits.amplitude_t_per_m / k_per_m,
            limits.gyromagnetic_ratio_hz_per_t * limits.slew_rate_t_per_m_s / k_per_m};
}

ReadoutTiming::ReadoutTiming(const UnitPath& path, const UnitLimits& limits, Index steps) {
    const auto point = [&](Index i) { return path(static_cast<double>(i) / static_cast<double>(steps)); };
    std::vector<PerAxis<double>> points(steps + 1);
    for (Index i = 0; i <= steps; ++i) {
        points[i] = point(i);
    }
    arc_.assign(steps + 1, 0);
    std::vector<double> bend(steps + 1, 0);
    for (Index i = 1; i <= steps; ++i) {
        arc_[i] = arc_[i - 1] + distance(points[i - 1], points[i]);
        if (i < steps) {
            bend[i] = curvature(points[i - 1], points[i], points[i + 1]);
        }
    }
    bend[0] = bend[1];
    bend[steps] = bend[steps - 1];

    // Squares of speeds: d(v^2)/ds = 2 dv/dt.
    const double a = limits.acceleration_per_s2 * acceleration_margin;
    std::vector<double> fastest(steps + 1);
    for (Index i = 0; i <= steps; ++i) {
        const double v2 = limits.speed_per_s * limits.speed_per_s;
        fastest[i] = bend[i] > 0 ? std::min(v2, a / bend[i]) : v2;
    }
    const auto gain = [&](double v2, Index at, Index to) {
        const double inwards = std::max(bend[at], bend[to]) * v2;
        return 2 * std::sqrt(std::max(0.0, a * a - inwards * inwards)) * std::abs(arc_[to] - arc_[at]);
    };
    std::vector<double> v2(steps + 1, 0);
    for (Index i = 1; i <= steps; ++i) {
        v2[i] = std::min(fastest[i], v2[i - 1] + gain(v2[i - 1], i - 1, i));
    }
    for (Index i = steps - 1; i >= 0; --i) {
        v2[i] = std::min(v2[i], v2[i + 1] + gain(v2[i + 1], i + 1, i));
    }
    speed_.assign(steps + 1, 0);
    time_.assign(steps + 1, 0);
    for (Index i = 0; i <= steps; ++i) {
        speed_[i] = std::sqrt(v2[i]);
        if (i > 0) {
            time_[i] = time_[i - 1] + 2 * (arc_[i] - arc_[i - 1]) / (speed_[i] + speed_[i - 1]);
        }
    }
}

double ReadoutTiming::parameter_at(double time_s) const {
    const auto steps = static_cast<Index>(time_.size()) - 1;
    const auto after = std::upper_bound(time_.begin(), time_.end(), time_s);
    const Index i = std::clamp<Index>(after - time_.begin() - 1, 0, steps - 1);
    const double duration = time_[i + 1] - time_[i];
    const double elapsed = std::min(time_s - time_[i], duration);
    // Constant acceleration along the piece.
    const double run = (speed_[i] + 0.5 * (speed_[i + 1] - speed_[i]) * elapsed / duration) * elapsed;
    return (static_cast<double>(i) + run / (arc_[i + 1] - arc_[i])) / static_cast<double>(steps);
}

std::vector<SampledPath> sample_paths(const std::vector<UnitPath>& paths, const TrajectoryRequest& request) {
    const Index extent = largest_extent(request.matrix_size);
    UnitLimits limits = unit_limits(request);
    if (!request.samples_per_readout) {
        const double unit_step = 2 / static_cast<double>(extent) / request.readout_oversampling;
        limits.speed_per_s = std::min(limits.speed_per_s, unit_step / request.dwell_time_s);
    }
    std::vector<ReadoutTiming> timings;
    double longest_s = 0;
    for (const UnitPath& path : paths) {
        timings.emplace_back(path, limits, step_count(path, extent));
        longest_s = std::max(longest_s, timings.back().duration_s());
    }
    constexpr double most_s = 1;  // no signal lives longer
    if (!(longest_s <= most_s)) {
        throw UsageError(fmt::format(
            "a readout would take {:.3g} s, expected {:g} s at most: `slew_rate` {:g} T/m/s or `gradient` {:g} "
            "mT/m is too little; give more, or more readouts",
            longest_s, most_s, request.limits.slew_rate_t_per_m_s, request.limits.amplitude_t_per_m * 1e3));
    }
    double dwell_s = request.dwell_time_s;
    Index count = 0;
    if (request.samples_per_readout) {
        count = *request.samples_per_readout;
        dwell_s = count > 1 ? longest_s / static_cast<double>(count - 1) : longest_s;
    } else {
        // The last sample lies on the edge: the path takes a whole number of dwell times.
        count = at_least_one(std::ceil(longest_s / dwell_s * (1 - 1e-9))) + 1;
        longest_s = static_cast<double>(count - 1) * dwell_s;
    }
    std::vector<SampledPath> sampled;
    for (const ReadoutTiming& timing : timings) {
        SampledPath result{std::vector<double>(count), dwell_s};
        for (Index j = 0; j < count; ++j) {
            const double fraction = count > 1 ? static_cast<double>(j) / static_cast<double>(count - 1) : 0;
            result.parameters[j] = timing.parameter_at(fraction * timing.duration_s());
        }
        sampled.push_back(std::move(result));
    }
    return sampled;
}

LineReadout line_readout(const TrajectoryRequest& request, Index matrix_size) {
    const Index count = request.samples_per_readout.value_or(
        at_least_one(static_cast<double>(matrix_size) * request.readout_oversampling));
    LineReadout line{std::vector<double>(count), 0};
    for (Index j = 0; j < count; ++j) {
        line.positions[j] = static_cast<double>(j - count / 2) / (static_cast<double>(count) / 2);
    }
    const double unit_step = 2 / static_cast<double>(count);
    line.dwell_time_s = std::max(request.dwell_time_s, unit_step / unit_limits(request).speed_per_s);
    return line;
}

TrajectoryBuilder::TrajectoryBuilder(const TrajectoryRequest& request, Index samples_per_readout, Index centre_sample,
                                     double dwell_time_s)
    : matrix_size_(request.matrix_size) {
    design_.samples_per_readout = samples_per_readout;
    design_.dwell_time_s = dwell_time_s;
    const double before_centre_s = static_cast<double>(centre_sample) * dwell_time_s;
    const double echo_time_s = request.echo_time_s.value_or(before_centre_s + earliest_sample_s);
    first_sample_time_s_ = echo_time_s - before_centre_s;
    if (first_sample_time_s_ < 0) {
        throw UsageError(
            fmt::format("`echo_time` {:g} ms is too early: the readout begins {:.3f} ms before the centre "
                        "of k-space; give at least that, or a shorter readout",
                        echo_time_s * 1e3, before_centre_s * 1e3));
    }
}

void TrajectoryBuilder::add(const PerAxis<double>& unit) {
    PerAxis<double> k{};
    for (int axis = 0; axis < 3; ++axis) {
        k[axis] = matrix_size_[axis] > 1 ? unit[axis] * static_cast<double>(matrix_size_[axis]) / 2 : 0;
    }
    add_k(k);
}

void TrajectoryBuilder::add_k(const PerAxis<double>& k) {
    const Index j = design_.trajectory.sample_count() % design_.samples_per_readout;
    for (int axis = 0; axis < 3; ++axis) {
        design_.trajectory.k[axis].push_back(k[axis]);
    }
    design_.sample_times_s.push_back(
        static_cast<float>(first_sample_time_s_ + static_cast<double>(j) * design_.dwell_time_s));
}

DesignedTrajectory TrajectoryBuilder::finish() {
    design_.readout_count = design_.trajectory.sample_count() / design_.samples_per_readout;
    return std::move(design_);
}

Index largest_extent(const PerAxis<Index>& matrix_size) {
    return std::max({matrix_size[0], matrix_size[1], matrix_size[2]});
}

Index at_least_one(double value) {
    constexpr double most = 1e9;
    if (!(value < most)) {
        throw UsageError(
            fmt::format("the trajectory would need {:g} readouts or samples a readout, more than {:g}; "
                        "choose a smaller `matrix` or a larger `undersampling`",
                        value, most));
    }
    return std::max<Index>(1, std::llround(value));
}

}  // namespace recon
