#include "app/reconstruction/off_resonance/coarse_scan.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/shape.hpp"
#include "core/mri/echo_centre.hpp"
#include "core/mri/off_resonance/field_map.hpp"
#include "core/mri/resample.hpp"
#include "core/mri/sample_times.hpp"
#include "core/parallel/ordered_indices.hpp"

namespace recon {
namespace {

std::vector<Index> samples_within(const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    return ordered_indices(trajectory.sample_count(), [&](Index m) {
        bool within = true;
        for (int axis = 0; axis < 3; ++axis) {
            within = within && (matrix_size[axis] == 1 ||
                                std::abs(trajectory.k[axis][m]) <= static_cast<double>(matrix_size[axis]) / 2);
        }
        return within;
    });
}

double duration_of_samples(const Frame& frame, const std::vector<Index>& samples) {
    double first = 1e9, last = -1e9;
    for (const Index m : samples) {
        first = std::min(first, double{frame.sample_times_s[m]});
        last = std::max(last, double{frame.sample_times_s[m]});
    }
    return samples.empty() ? 0 : last - first;
}

/// Half of it along every axis, but what is small stays.
PerAxis<Index> halved(PerAxis<Index> matrix) {
    constexpr Index smallest = 32;
    for (Index& extent : matrix) {
        extent = std::max(std::min(extent, smallest), (extent + 1) / 2);
    }
    return matrix;
}

PerAxis<Index> coarse_matrix(const Scan& scan, const Frame& frame, const Trajectory& trajectory) {
    constexpr double enough_turns = 4;
    const Index most_voxels = Index{1} << (scan.geometry.matrix_size[2] > 1 ? 15 : 17);  // 32^3, 362^2: a second
    const double range_hz = typical_range_hz(scan.off_resonance(frame.label.slice).off_resonance_hz);
    const double whole_s = duration_of(frame.sample_times_s);
    PerAxis<Index> matrix = scan.geometry.matrix_size;
    for (;;) {
        const PerAxis<Index> half = halved(matrix);
        if (half == matrix) {
            return matrix;
        }
        const bool is_costly = Shape::image(matrix).element_count() > most_voxels;
        const double seen_s = duration_of_samples(frame, samples_within(trajectory, half));
        if (!is_costly && seen_s * range_hz < enough_turns && seen_s < 0.75 * whole_s) {
            return matrix;
        }
        matrix = half;
    }
}

}  // namespace

CoarseScan coarse_scan(const Scan& scan, const Frame& frame) {
    CoarseScan coarse;
    const auto trajectory = relative_to(
        echo_centre(*frame.trajectory, {frame.kspace, scan.coil_count}, scan.geometry.matrix_size), frame.trajectory);
    coarse.matrix_size = coarse_matrix(scan, frame, *trajectory);
    coarse.map_hz = resample(scan.off_resonance(frame.label.slice).off_resonance_hz, scan.geometry.matrix_size,
                             coarse.matrix_size, "field map");
    coarse.samples = samples_within(*trajectory, coarse.matrix_size);
    for (const Index m : coarse.samples) {
        for (int axis = 0; axis < 3; ++axis) {
            coarse.trajectory.k[axis].push_back(trajectory->k[axis][m]);
        }
        coarse.times_s.push_back(frame.sample_times_s[m]);
    }
    coarse.times_s = from_their_mean(std::move(coarse.times_s));
    return coarse;
}

}  // namespace recon
