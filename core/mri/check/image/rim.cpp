#include "core/mri/check/image/rim.hpp"

#include <algorithm>
#include <cmath>

namespace recon {

std::vector<Index> rim_readouts(const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                                Index samples_per_readout) {
    std::vector<Index> found;
    const Index length = samples_per_readout;
    for (Index readout = 0; length > 0 && (readout + 1) * length <= trajectory.sample_count(); ++readout) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto first = trajectory.k[axis].begin() + readout * length;
            const double rim = static_cast<double>(matrix_size[axis]) / 2 - 1;
            if (rim > 1 && std::all_of(first, first + length, [rim](double k) { return std::abs(k) >= rim; })) {
                found.push_back(readout);
                break;
            }
        }
    }
    return found;
}

std::vector<Index> rim_places(const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                              Index samples_per_readout) {
    std::vector<Index> found;
    for (Index place = 0; place < samples_per_readout; ++place) {
        bool all_are = true;
        for (Index m = place; m < trajectory.sample_count() && all_are; m += samples_per_readout) {
            double square = 0, step = 0;  // of the band; a cycle
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (matrix_size[axis] > 1) {
                    const double half = static_cast<double>(matrix_size[axis]) / 2;
                    square += std::pow(trajectory.k[axis][static_cast<std::size_t>(m)] / half, 2);
                    step = std::max(step, 1 / half);
                }
            }
            all_are = std::sqrt(square) >= 1 - 1.5 * step;
        }
        if (all_are) {
            found.push_back(place);
        }
    }
    return found;
}

}  // namespace recon
