#include "core/mri/check/spikes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace recon {
namespace {

constexpr double above_neighbours = 8, above_shells = 6, part_below = 0.995, most_part = 0.005;
constexpr double least_radius = 1.5;  // cycles per FOV
constexpr std::size_t fewest = 400;   // numbers that tell a quantile

std::vector<float> root_sum_of_squares(const AllCoils& kspace) {
    const Share& here = kspace.here();
    std::vector<float> magnitudes(static_cast<std::size_t>(kspace.length()));
    std::vector<double> squares;
    constexpr Index at_once = Index{1} << 20;  // of the samples: their squares are in double precision
    for (Index first = 0; first < kspace.length(); first += at_once) {
        squares.assign(static_cast<std::size_t>(std::min(at_once, kspace.length() - first)), 0.0);
#pragma omp parallel for schedule(static)
        for (std::size_t m = 0; m < squares.size(); ++m) {
            for (Index coil = here.first; coil < here.first + here.count; ++coil) {
                squares[m] += std::norm(cdouble(kspace.coil(coil)[static_cast<std::size_t>(first) + m]));
            }
        }
        kspace.sum(squares);
        std::transform(squares.begin(), squares.end(), magnitudes.begin() + first,
                       [](double square) { return static_cast<float>(std::sqrt(square)); });
    }
    return magnitudes;
}

std::vector<float> radii(const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    std::vector<float> result(static_cast<std::size_t>(trajectory.sample_count()));
    for (std::size_t m = 0; m < result.size(); ++m) {
        double square = 0;
        for (int axis = 0; axis < 3; ++axis) {
            square += matrix_size[axis] > 1 ? trajectory.k[axis][m] * trajectory.k[axis][m] : 0;
        }
        result[m] = static_cast<float>(std::sqrt(square));
    }
    return result;
}

/// For each ring of k-space, a cycle per FOV wide, what most samples there and further out stay below: the largest such
/// quantile of the rings, each joined with the next ones out, or in, until there are enough to tell.
std::vector<double> levels_of_rings(const std::vector<float>& radius, const std::vector<float>& magnitudes) {
    constexpr double most_rings = 1e4;
    std::vector<std::vector<float>> rings;
    for (std::size_t m = 0; m < radius.size(); ++m) {
        const auto ring = static_cast<std::size_t>(std::min<double>(radius[m], most_rings));
        rings.resize(std::max(rings.size(), ring + 1));
        rings[ring].push_back(magnitudes[m]);
    }
    std::vector<double> levels(rings.size());
    std::vector<float> joined;
    double level = 0;
    std::size_t open = rings.size();  // rings from here on wait for enough
    for (std::size_t ring = rings.size(); ring-- > 0;) {
        joined.insert(joined.end(), rings[ring].begin(), rings[ring].end());
        if (joined.size() >= fewest || ring == 0) {
            const auto place =
                joined.begin() + static_cast<std::ptrdiff_t>(part_below * static_cast<double>(joined.size() - 1));
            std::nth_element(joined.begin(), place, joined.end());
            level = std::max<double>(level, *place);
            std::fill(levels.begin() + static_cast<std::ptrdiff_t>(ring),
                      levels.begin() + static_cast<std::ptrdiff_t>(open), level);
            open = ring;
            joined.clear();
        }
    }
    return levels;
}

/// The largest of the samples two to four places away, in a readout from `first` to `end`.
double largest_neighbour(const std::vector<float>& magnitudes, Index m, Index first, Index end) {
    double largest = 0;
    for (Index distance = 2; distance <= 4; ++distance) {
        for (const Index n : {m - distance, m + distance}) {
            if (n >= first && n < end) {
                largest = std::max<double>(largest, magnitudes[static_cast<std::size_t>(n)]);
            }
        }
    }
    return largest;
}

void leave_out(const std::vector<Index>& dropped, auto& values) {
    std::size_t to = 0, next = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (next < dropped.size() && dropped[next] == static_cast<Index>(i)) {
            ++next;
        } else {
            values[to++] = values[i];
        }
    }
    values.resize(to);
}

SharedList<float> without(const std::vector<Index>& dropped, const SharedList<float>& list) {
    if (list.empty()) {
        return list;
    }
    std::vector<float> values = list.values();
    leave_out(dropped, values);
    return values;
}

}  // namespace

std::vector<Index> find_spikes(const AllCoils& kspace, const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                               Index samples_per_readout) {
    const Index sample_count = trajectory.sample_count();
    const std::vector<float> magnitudes = root_sum_of_squares(kspace);
    const std::vector<float> radius = radii(trajectory, matrix_size);
    const std::vector<double> levels = levels_of_rings(radius, magnitudes);
    const Index length = samples_per_readout > 0 ? samples_per_readout : sample_count;
    std::vector<Index> spikes;
    for (Index m = 0; m < sample_count; ++m) {
        const auto at = static_cast<std::size_t>(m);
        const auto ring = std::min(levels.size() - 1, static_cast<std::size_t>(std::max(0.0F, radius[at] - 1)));
        if (radius[at] < least_radius || !(magnitudes[at] > above_shells * levels[ring])) {
            continue;
        }
        const Index first = m / length * length;
        if (magnitudes[at] >
            above_neighbours * largest_neighbour(magnitudes, m, first, std::min(first + length, sample_count))) {
            spikes.push_back(m);
        }
    }
    return static_cast<double>(spikes.size()) > most_part * static_cast<double>(sample_count) ? std::vector<Index>()
                                                                                              : spikes;
}

void drop_samples(Scan& scan, const std::vector<std::vector<Index>>& of_frames) {
    std::vector<Index> counts;
    for (const Frame& frame : scan.frames) {
        counts.push_back(frame.sample_count());
    }
    for (std::size_t i = 0; i < scan.frames.size(); ++i) {
        const std::vector<Index>& dropped = of_frames[i];
        if (dropped.empty()) {
            continue;
        }
        Frame& frame = scan.frames[i];
        Trajectory trajectory = *frame.trajectory;
        for (std::vector<double>& component : trajectory.k) {
            leave_out(dropped, component);
        }
        frame.trajectory = std::make_shared<const Trajectory>(std::move(trajectory));
        frame.density_weights = without(dropped, frame.density_weights);
        frame.sample_times_s = without(dropped, frame.sample_times_s);
        scan.samples_per_readout = 0;
    }
    transform_kspace(scan, [of_frames, counts](Index index, std::vector<cfloat>& kspace) {
        const auto frame = static_cast<std::size_t>(index);
        const auto coil_count = static_cast<Index>(kspace.size()) / counts[frame];
        std::vector<Index> dropped;
        for (Index coil = 0; coil < coil_count; ++coil) {
            for (const Index m : of_frames[frame]) {
                dropped.push_back(coil * counts[frame] + m);
            }
        }
        leave_out(dropped, kspace);
    });
}

}  // namespace recon
