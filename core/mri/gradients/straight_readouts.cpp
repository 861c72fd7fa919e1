#include "core/mri/gradients/straight_readouts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

#include "core/base/error.hpp"

namespace recon {
namespace {

PerAxis<double> position(const Trajectory& trajectory, Index sample) {
    const auto s = static_cast<std::size_t>(sample);
    return {trajectory.k[0][s], trajectory.k[1][s], trajectory.k[2][s]};
}

[[noreturn]] void refuse(Index readout, const std::string& reason) {
    throw InputError(
        fmt::format("gradient delays can be estimated from radial readouts; readout {} {}; "
                    "give numbers with `gradient_delays`",
                    readout, reason));
}

}  // namespace

std::vector<StraightReadout> straight_readouts(const Trajectory& trajectory, Index samples_per_readout) {
    constexpr Index fewest_samples = 16;
    constexpr double fewest_beside_centre = 6;
    constexpr double off_the_line = 0.1;  // cycles per FOV
    constexpr double off_the_centre = 3;  // cycles per FOV, as corrections before may move it
    if (samples_per_readout < fewest_samples || trajectory.sample_count() % samples_per_readout != 0) {
        throw InputError(
            fmt::format("gradient delays can be estimated from readouts of equal length with at least {} "
                        "samples, this scan has {} (0: not known)",
                        fewest_samples, samples_per_readout));
    }
    std::vector<StraightReadout> readouts;
    for (Index begin = 0; begin < trajectory.sample_count(); begin += samples_per_readout) {
        const Index number = begin / samples_per_readout;
        const PerAxis<double> a = position(trajectory, begin);
        const PerAxis<double> b = position(trajectory, begin + samples_per_readout - 1);
        const PerAxis<double> way{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const double length = std::sqrt(dot(way, way));
        if (!(length > 0)) {
            refuse(number, "does not move");
        }
        StraightReadout readout;
        readout.begin = begin;
        readout.direction = {way[0] / length, way[1] / length, way[2] / length};
        readout.first = dot(a, readout.direction);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            readout.offset[axis] = a[axis] - readout.first * readout.direction[axis];
        }
        if (const double distance = std::sqrt(dot(readout.offset, readout.offset)); distance > off_the_centre) {
            refuse(number, fmt::format("passes {:.2f} cycles/FOV from the centre", distance));
        }
        readout.step = length / static_cast<double>(samples_per_readout - 1);
        for (Index s = 0; s < samples_per_readout; ++s) {
            const PerAxis<double> k = position(trajectory, begin + s);
            const double along = readout.first + static_cast<double>(s) * readout.step;
            double distance = 0;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                distance = std::hypot(distance, k[axis] - readout.offset[axis] - along * readout.direction[axis]);
            }
            if (distance > off_the_line) {
                refuse(number, fmt::format("is {:.2f} cycles/FOV off a straight line of even steps at "
                                           "sample {}",
                                           distance, s));
            }
        }
        const double centre = readout.centre_sample();
        if (centre < fewest_beside_centre ||
            centre > static_cast<double>(samples_per_readout - 1) - fewest_beside_centre) {
            refuse(number,
                   fmt::format("has the centre at sample {:.1f} of {}, too near its end", centre, samples_per_readout));
        }
        readouts.push_back(readout);
    }
    return readouts;
}

}  // namespace recon
