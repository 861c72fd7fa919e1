#include "core/mri/gradients/centre_out_readouts.hpp"

#include <algorithm>
#include <cmath>

#include "core/mri/gradients/readout_interpolation.hpp"

namespace recon {
namespace {

double distance(const Trajectory& trajectory, Index sample) {
    const auto s = static_cast<std::size_t>(sample);
    return std::hypot(trajectory.k[0][s], trajectory.k[1][s], trajectory.k[2][s]);
}

/// The first sample of a readout beyond the radius; its length if there is none.
Index first_beyond(const Trajectory& trajectory, Index begin, Index length, double radius) {
    Index s = 0;
    while (s < length && distance(trajectory, begin + s) <= radius) {
        ++s;
    }
    return s;
}

/// How many samples a readout takes for the first cycle per FOV; its length if it does not come so far.
double first_cycle(const Trajectory& trajectory, Index begin, Index length) {
    const Index beyond = first_beyond(trajectory, begin, length, 1);
    if (beyond == 0 || beyond == length) {
        return static_cast<double>(beyond);
    }
    const double before = distance(trajectory, begin + beyond - 1), after = distance(trajectory, begin + beyond);
    return static_cast<double>(beyond) - (after - 1) / (after - before);
}

/// The first samples of readouts that begin in the middle of k-space, not of those beside it in a stack.
std::vector<Index> beginnings(const Trajectory& trajectory, Index length) {
    constexpr double in_the_middle = 0.25;  // cycles per FOV
    std::vector<Index> found;
    for (Index begin = 0; begin < trajectory.sample_count(); begin += length) {
        if (distance(trajectory, begin) < in_the_middle && start_of_readout(trajectory, begin, length) > -length) {
            found.push_back(begin);
        }
    }
    return found;
}

}  // namespace

Trajectory CentreOutReadouts::positions(const Trajectory& all) const {
    Trajectory some;
    for (int axis = 0; axis < 3; ++axis) {
        for (const Index m : samples) {
            some.k[axis].push_back(all.k[axis][static_cast<std::size_t>(m)]);
        }
    }
    return some;
}

double radius_of_centre(const PerAxis<bool>& axes) {
    constexpr double of_plane = 4, of_volume = 2.5;
    return std::ranges::count(axes, true) == 3 ? of_volume : of_plane;
}

CentreOutReadouts centre_out_readouts(const Trajectory& trajectory, Index samples_per_readout,
                                      const PerAxis<bool>& axes, Index most_samples) {
    constexpr Index fewest_samples = 4;
    CentreOutReadouts result;
    if (samples_per_readout < fewest_samples || trajectory.sample_count() % samples_per_readout != 0) {
        return result;
    }
    const std::vector<Index> all = beginnings(trajectory, samples_per_readout);
    std::vector<double> cycles;
    Index length = 0;
    for (const Index begin : all) {
        cycles.push_back(first_cycle(trajectory, begin, samples_per_readout));
        length = std::max(length, first_beyond(trajectory, begin, samples_per_readout, radius_of_centre(axes) + 1));
    }
    if (all.empty() || length < fewest_samples || length == samples_per_readout) {
        return result;
    }
    std::ranges::nth_element(cycles, cycles.begin() + std::ssize(cycles) / 2);
    result.cycle = cycles[cycles.size() / 2];
    result.length = length;
    const Index stride = std::max<Index>(1, (std::ssize(all) * length + most_samples - 1) / most_samples);
    for (Index i = 0; i < std::ssize(all); i += stride) {
        for (Index s = 0; s < length; ++s) {
            result.samples.push_back(all[static_cast<std::size_t>(i)] + s);
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        result.axes[axis] = std::ranges::any_of(
            result.samples, [&](Index m) { return std::abs(trajectory.k[axis][static_cast<std::size_t>(m)]) > 1; });
    }
    return result;
}

}  // namespace recon
