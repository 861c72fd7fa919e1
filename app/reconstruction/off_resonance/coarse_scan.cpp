#include "app/reconstruction/off_resonance/coarse_scan.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "core/base/shape.hpp"
#include "core/mri/echo_centre.hpp"
#include "core/mri/grids/resample.hpp"
#include "core/mri/off_resonance/field_map.hpp"
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

std::vector<double> deviations_from_mean(std::vector<double> values) {
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    std::ranges::transform(values, values.begin(), [&](double value) { return value - mean; });
    return values;
}

double inner_product(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// b += factor a
void add(double factor, const std::vector<double>& a, std::vector<double>& b) {
    std::ranges::transform(a, b, b.begin(), [&](double of_a, double of_b) { return of_b + factor * of_a; });
}

/// @param trajectory  the frame's, with its origin at the echo
CoarseScan scan_on(const PerAxis<Index>& matrix_size, const Scan& scan, const Frame& frame,
                   const Trajectory& trajectory) {
    CoarseScan coarse;
    coarse.matrix_size = matrix_size;
    coarse.map_hz = resample(scan.off_resonance(frame.label.slice).off_resonance_hz, scan.geometry.matrix_size,
                             coarse.matrix_size, "field map");
    coarse.samples = samples_within(trajectory, coarse.matrix_size);
    for (const Index m : coarse.samples) {
        for (int axis = 0; axis < 3; ++axis) {
            coarse.trajectory.k[axis].push_back(trajectory.k[axis][m]);
        }
        coarse.times_s.push_back(frame.sample_times_s[m]);
    }
    coarse.times_s = from_their_mean(std::move(coarse.times_s));
    return coarse;
}

std::shared_ptr<const Trajectory> from_echo(const Scan& scan, const Frame& frame) {
    return relative_to(echo_centre(*frame.trajectory, {frame.kspace, scan.coil_count}, scan.geometry.matrix_size),
                       frame.trajectory);
}

}  // namespace

CoarseScan coarse_scan(const Scan& scan, const Frame& frame) {
    const auto trajectory = from_echo(scan, frame);
    return scan_on(coarse_matrix(scan, frame, *trajectory), scan, frame, *trajectory);
}

CoarseScan fine_scan(const Scan& scan, const Frame& frame) {
    return scan_on(scan.geometry.matrix_size, scan, frame, *from_echo(scan, frame));
}

double times_along_k(const CoarseScan& coarse) {
    const std::vector<double> times = deviations_from_mean({coarse.times_s.begin(), coarse.times_s.end()});
    const double variance = inner_product(times, times);
    std::vector<std::vector<double>> directions;  // orthogonal, of norm 1 [Gram-Schmidt]
    double explained = 0;
    for (const std::vector<double>& k : coarse.trajectory.k) {
        std::vector<double> direction = deviations_from_mean(k);
        const double whole = inner_product(direction, direction);
        for (const std::vector<double>& other : directions) {
            add(-inner_product(other, direction), other, direction);
        }
        const double rest = inner_product(direction, direction);
        if (rest > 1e-6 * whole) {
            const double scale = 1 / std::sqrt(rest);
            std::ranges::transform(direction, direction.begin(), [&](double value) { return scale * value; });
            explained += std::pow(inner_product(direction, times), 2);
            directions.push_back(std::move(direction));
        }
    }
    return variance > 0 ? explained / variance : 0;
}

}  // namespace recon
