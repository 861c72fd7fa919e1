#include "core/mri/off_resonance/field_map_smoothing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace recon {
namespace {

using Floats = std::vector<float>;

constexpr Index window_reach = 2;  ///< of the window, 5 voxels wide along each axis of more than one
constexpr int most_smoothing_rounds = 4;

class Grid {
public:
    explicit Grid(const PerAxis<Index>& size) : size_(size), strides_{1, size[0], size[0] * size[1]} {}

    Index voxel_count() const { return size_[0] * size_[1] * size_[2]; }
    bool has(int axis) const { return size_[axis] > 1; }
    double axis_count() const { return 3 - static_cast<double>(std::ranges::count(size_, Index{1})); }
    double window_voxels() const { return std::pow(2 * window_reach + 1, axis_count()); }
    Index stride(int axis) const { return strides_[axis]; }
    /// To the border.
    Index before(Index voxel, int axis) const { return voxel / strides_[axis] % size_[axis]; }
    Index after(Index voxel, int axis) const { return size_[axis] - 1 - before(voxel, axis); }

private:
    PerAxis<Index> size_;
    PerAxis<Index> strides_;
};

/// sum over s = -2..2 of from[n + s] and of s^2 from[n + s] along an axis, as far as the grid goes.
struct AxisSums {
    Floats sum, moment;
};

AxisSums along(const Grid& grid, int axis, const Floats& from) {
    AxisSums sums{Floats(from.size()), Floats(from.size())};
#pragma omp parallel for schedule(static)
    for (Index n = 0; n < grid.voxel_count(); ++n) {
        const Index first = -std::min(window_reach, grid.before(n, axis)),
                    last = std::min(window_reach, grid.after(n, axis));
        float sum = 0, moment = 0;
        for (Index s = first; s <= last; ++s) {
            const float value = from[n + s * grid.stride(axis)];
            sum += value;
            moment += static_cast<float>(s * s) * value;
        }
        sums.sum[n] = sum;
        sums.moment[n] = moment;
    }
    return sums;
}

Floats window_sums(const Grid& grid, Floats values) {
    for (int axis = 0; axis < 3; ++axis) {
        if (grid.has(axis)) {
            values = along(grid, axis, values).sum;
        }
    }
    return values;
}

/// 1 where all of the window is measured, else 0.
Floats whole_windows(const Grid& grid, const Floats& map_hz) {
    Floats whole(map_hz.size());
    std::ranges::transform(map_hz, whole.begin(), [](float f) { return f != 0 ? 1.0F : 0.0F; });
    whole = window_sums(grid, std::move(whole));
    const auto all = static_cast<float>(grid.window_voxels());
    std::ranges::transform(whole, whole.begin(), [all](float count) { return count == all ? 1.0F : 0.0F; });
    return whole;
}

/// The value at its middle of the quadratic that fits a window best is sum_s (a + b |s|^2) f(s): a and b such that it
/// is 1 of a constant and 0 of s_x^2.
struct QuadraticWeights {
    double a, b;

    explicit QuadraticWeights(const Grid& grid) {
        constexpr double second = 2, fourth = 6.8;  // means of s_x^2 and s_x^4 over -2..2
        const double axes = grid.axis_count();
        const double of_square = fourth + (axes - 1) * second * second;  // mean of s_x^2 |s|^2
        a = 1 / (grid.window_voxels() * (1 - axes * second * second / of_square));
        b = -a * second / of_square;
    }
};

/// Quadratic less map where windows are whole, else 0.
Floats off_quadratic(const Grid& grid, const Floats& whole, const Floats& map_hz) {
    Floats sum = map_hz, moment(map_hz.size(), 0.0F);  // of |s|^2
    for (int axis = 0; axis < 3; ++axis) {
        if (!grid.has(axis)) {
            continue;
        }
        moment = along(grid, axis, moment).sum;
        AxisSums sums = along(grid, axis, sum);
        for (std::size_t n = 0; n < moment.size(); ++n) {
            moment[n] += sums.moment[n];
        }
        sum = std::move(sums.sum);
    }
    const QuadraticWeights weights(grid);
    for (std::size_t n = 0; n < sum.size(); ++n) {
        sum[n] = whole[n] * (static_cast<float>(weights.a * sum[n] + weights.b * moment[n]) - map_hz[n]);
    }
    return sum;
}

/// From a voxel to those of the window about it, 3 wide in a volume and else 5: some 25.
std::vector<Index> steps_about(const Grid& grid) {
    const Index wide = grid.axis_count() == 3 ? 1 : window_reach;
    std::vector<Index> steps{0};
    for (int axis = 0; axis < 3; ++axis) {
        if (!grid.has(axis)) {
            continue;
        }
        std::vector<Index> next;
        for (const Index step : steps) {
            for (Index s = -wide; s <= wide; ++s) {
                next.push_back(step + s * grid.stride(axis));
            }
        }
        steps = std::move(next);
    }
    return steps;
}

/// Medians of the windows where these are whole, else 0.
Floats medians(const Grid& grid, const Floats& whole, const Floats& from) {
    const std::vector<Index> steps = steps_about(grid);
    Floats result(from.size(), 0.0F);
#pragma omp parallel for schedule(static)
    for (Index n = 0; n < grid.voxel_count(); ++n) {
        if (whole[n] == 0) {
            continue;
        }
        std::array<float, 27> values;
        std::ranges::transform(steps, values.begin(), [&](Index step) { return from[n + step]; });
        const auto middle = values.begin() + std::ssize(steps) / 2;
        std::nth_element(values.begin(), middle, values.begin() + std::ssize(steps));
        result[n] = *middle;
    }
    return result;
}

/// Sets spikes to the median. @return how many
Index mend_spikes(const Grid& grid, const Floats& whole, double tolerance_hz, Floats& map_hz) {
    constexpr double most_voxels = 0.9, far_beyond = 4;
    const Floats median_hz = medians(grid, whole, map_hz);
    Floats distance(map_hz.size()), distances;
    for (std::size_t n = 0; n < map_hz.size(); ++n) {
        distance[n] = whole[n] * std::abs(median_hz[n] - map_hz[n]);
        if (whole[n] != 0) {
            distances.push_back(distance[n]);
        }
    }
    if (distances.empty()) {
        return 0;
    }
    const auto usual = distances.begin() + static_cast<Index>(most_voxels * static_cast<double>(distances.size()));
    std::nth_element(distances.begin(), usual, distances.end());
    const Floats from_quadratic = off_quadratic(grid, whole, map_hz), around = medians(grid, whole, distance);
    Index count = 0;
    for (std::size_t n = 0; n < map_hz.size(); ++n) {
        const double far = std::max(tolerance_hz, far_beyond * static_cast<double>(std::max(*usual, around[n])));
        if (distance[n] > far && std::abs(from_quadratic[n]) > tolerance_hz) {
            map_hz[n] = median_hz[n];
            ++count;
        }
    }
    return count;
}

/// Sums over windows of a value times its neighbour's along the axis that makes most of it: of noise about what chance
/// makes of nothing, of what is steeper than a quadratic, or steps, most of the squares.
Floats likeness_of_neighbours(const Grid& grid, const Floats& off) {
    Floats largest(off.size(), -std::numeric_limits<float>::infinity());
    for (int axis = 0; axis < 3; ++axis) {
        if (!grid.has(axis)) {
            continue;
        }
        Floats products(off.size());
#pragma omp parallel for schedule(static)
        for (Index n = 0; n < grid.voxel_count(); ++n) {
            const float before = grid.before(n, axis) > 0 ? off[n - grid.stride(axis)] : 0;
            const float after = grid.after(n, axis) > 0 ? off[n + grid.stride(axis)] : 0;
            products[n] = off[n] * (before + after) / 2;
        }
        products = window_sums(grid, std::move(products));
        std::ranges::transform(largest, products, largest.begin(), [](float a, float b) { return std::max(a, b); });
    }
    return largest;
}

Floats squares_around(const Grid& grid, const Floats& off) {
    Floats squares(off.size());
    std::ranges::transform(off, squares.begin(), [](float value) { return value * value; });
    return window_sums(grid, std::move(squares));
}

/// `whole`, but 0 where what parts the map from the quadratic is a field. To be told of the map as it was measured:
/// noise that was smoothed is alike, too.
Floats without_fields(const Grid& grid, Floats whole, const Floats& map_hz) {
    constexpr float of_a_field = 0.35F;
    const Floats off = off_quadratic(grid, whole, map_hz);
    const Floats squares = squares_around(grid, off), alike = likeness_of_neighbours(grid, off);
    for (std::size_t n = 0; n < whole.size(); ++n) {
        whole[n] = alike[n] < of_a_field * squares[n] ? whole[n] : 0;
    }
    return whole;
}

/// Sets noisy voxels to the quadratic. @param may_be_noise  where @return how many
Index smooth_noise(const Grid& grid, const Floats& whole, const Floats& may_be_noise, double tolerance_hz,
                   Floats& map_hz) {
    const Floats off = off_quadratic(grid, whole, map_hz);
    const Floats squares = squares_around(grid, off), counts = window_sums(grid, whole);
    // What white noise of the tolerance's size leaves there.
    const double of_noise = tolerance_hz * tolerance_hz * (1 - QuadraticWeights(grid).a);
    Index count = 0;
    for (std::size_t n = 0; n < map_hz.size(); ++n) {
        if (may_be_noise[n] != 0 && squares[n] > of_noise * counts[n]) {
            map_hz[n] += off[n];
            ++count;
        }
    }
    return count;
}

}  // namespace

FieldMapSmoothing smooth_field_map(std::vector<float>& map_hz, const PerAxis<Index>& matrix_size, double tolerance_hz) {
    const Grid grid(matrix_size);
    const Floats whole = whole_windows(grid, map_hz);
    FieldMapSmoothing done;
    done.spikes = mend_spikes(grid, whole, tolerance_hz, map_hz);
    const Floats may_be_noise = without_fields(grid, whole, map_hz);
    while (done.rounds < most_smoothing_rounds) {
        const Index smoothed = smooth_noise(grid, whole, may_be_noise, tolerance_hz, map_hz);
        if (smoothed == 0) {
            break;
        }
        done.smoothed = std::max(done.smoothed, smoothed);
        ++done.rounds;
    }
    return done;
}

}  // namespace recon
