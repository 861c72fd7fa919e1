#include "core/mri/off_resonance/field_map.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/quantile.hpp"
#include "core/base/shape.hpp"

namespace recon {
namespace {

using Floats = std::vector<float>;

/// The screened Laplacian on the voxels that are not measured; g is held on those that are.
class ScreenedLaplacian {
public:
    ScreenedLaplacian(std::span<const float> map_hz, const Geometry& geometry)
        : map_(map_hz), size_(geometry.matrix_size), strides_{1, size_[0], size_[0] * size_[1]} {
        PerAxis<double> voxel = geometry.voxel_size_mm();
        double longest = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const bool known = std::all_of(voxel.begin(), voxel.end(), [](double v) { return v > 0; });
            length_[axis] = size_[axis] == 1 ? 0 : known ? voxel[axis] : 1.0;
            longest = std::max(longest, length_[axis] * static_cast<double>(size_[axis]));
        }
        for (int axis = 0; axis < 3; ++axis) {
            coupling_[axis] = size_[axis] == 1 ? 0 : static_cast<float>(1 / (length_[axis] * length_[axis]));
        }
        const double distance = longest / 8;
        screening_ = distance > 0 ? static_cast<float>(1 / (distance * distance)) : 1;
    }

    enum class Measured { as_zero, as_given };
    /// y = sum over neighbours of coupling (x - neighbour) + screening x, on unknown voxels; 0 on measured ones.
    /// @param measured  whether measured neighbours count with their x, for the right-hand side, or as 0
    void apply(const Floats& x, Measured measured, Floats& y) const {
#pragma omp parallel for schedule(static)
        for (Index row = 0; row < size_[1] * size_[2]; ++row) {
            for (Index i = 0; i < size_[0]; ++i) {
                const Index n = row * size_[0] + i;
                if (map_[n] != 0) {
                    y[n] = 0;
                    continue;
                }
                const PerAxis<Index> index{i, row % size_[1], row / size_[1]};
                float sum = screening_ * x[n];
                for (int axis = 0; axis < 3; ++axis) {
                    for (const Index step : {Index{-1}, Index{1}}) {
                        const Index neighbour = index[axis] + step;
                        if (neighbour < 0 || neighbour >= size_[axis]) {
                            continue;  // no flux through the border
                        }
                        const Index m = n + step * strides_[axis];
                        const bool counts = map_[m] == 0 || measured == Measured::as_given;
                        sum += coupling_[axis] * (x[n] - (counts ? x[m] : 0.0F));
                    }
                }
                y[n] = sum;
            }
        }
    }

private:
    std::span<const float> map_;
    PerAxis<Index> size_;
    PerAxis<Index> strides_;
    PerAxis<double> length_{};
    PerAxis<float> coupling_{};
    float screening_ = 1;
};

double dot(const Floats& a, const Floats& b) {
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (Index n = 0; n < static_cast<Index>(a.size()); ++n) {
        sum += static_cast<double>(a[n]) * static_cast<double>(b[n]);
    }
    return sum;
}

void add(double factor, const Floats& x, Floats& y) {
#pragma omp parallel for schedule(static)
    for (Index n = 0; n < static_cast<Index>(x.size()); ++n) {
        y[n] += static_cast<float>(factor) * x[n];
    }
}

/// Conjugate gradients [Hestenes 1952] for the unknown part of g. On the host, as the map is: before any backend.
/// The matrix is well conditioned, 1 + 12 L^2 over the voxel size squared at most.
void continue_smoothly(const ScreenedLaplacian& laplacian, Floats& g) {
    constexpr double enough = 1e-4;
    constexpr int most_iterations = 1000;
    Floats residual(g.size()), applied(g.size()), x(g.size(), 0.0F);
    laplacian.apply(g, ScreenedLaplacian::Measured::as_given, residual);  // g is 0 on unknown voxels
    for (float& value : residual) {
        value = -value;
    }
    Floats direction = residual;
    double energy = dot(residual, residual);
    const double target = enough * enough * energy;
    for (int i = 0; i < most_iterations && energy > target && energy > 0; ++i) {
        laplacian.apply(direction, ScreenedLaplacian::Measured::as_zero, applied);
        const double step = energy / dot(direction, applied);
        add(step, direction, x);
        add(-step, applied, residual);
        const double before = energy;
        energy = dot(residual, residual);
        for (std::size_t n = 0; n < direction.size(); ++n) {
            direction[n] = residual[n] + static_cast<float>(energy / before) * direction[n];
        }
    }
    add(1, x, g);
}

}  // namespace

Resampled<float> resample_field_map(std::span<const float> map_hz, const Geometry& source, const Geometry& target,
                                    const std::string& what) {
    std::vector<float> measured(map_hz.size());
    std::transform(map_hz.begin(), map_hz.end(), measured.begin(), [](float f) { return f != 0 ? 1.0F : 0.0F; });
    Resampled<float> map = resample(map_hz, source, target, what, measured);
    Index inside = 0;
    for (std::size_t n = 0; n < map.voxels.size(); ++n) {
        map.voxels[n] = map.coverage[n] >= 0.5F ? map.voxels[n] : 0.0F;
        inside += map.voxels[n] != 0 ? 1 : 0;
    }
    map.outside_fraction = 1 - static_cast<double>(inside) / static_cast<double>(map.voxels.size());
    return map;
}

FieldMapFit extrapolate_field_map(std::span<float> map_hz, const Geometry& geometry) {
    const FieldMapRange range = range_of(map_hz);
    if (range.measured_fraction == 0) {
        throw InputError(
            "field map: all voxels are 0, which means that nothing was measured; nothing can be continued");
    }
    const LinearField plane = fit_linear_field(map_hz, geometry.matrix_size);
    FieldMapFit fit{range.measured_fraction, plane, 0};
    const Floats from_plane =
        without(plane, map_hz, geometry.matrix_size);  // where nothing is measured: the plane's opposite
    Floats g(map_hz.size(), 0.0F);
    double squares = 0;
    for (Index n = 0; n < static_cast<Index>(g.size()); ++n) {
        if (map_hz[n] != 0) {
            g[n] = from_plane[n];
            squares += static_cast<double>(g[n]) * static_cast<double>(g[n]);
        }
    }
    fit.deviation_hz = std::sqrt(squares / (range.measured_fraction * static_cast<double>(g.size())));
    continue_smoothly(ScreenedLaplacian(map_hz, geometry), g);
    for (Index n = 0; n < static_cast<Index>(g.size()); ++n) {
        if (map_hz[n] == 0) {
            map_hz[n] = g[n] - from_plane[n];
        }
    }
    return fit;
}

FieldMapRange range_of(std::span<const float> map_hz) {
    if (map_hz.empty()) {
        return {};
    }
    const auto [lowest, highest] = std::minmax_element(map_hz.begin(), map_hz.end());
    const auto zeros = std::count(map_hz.begin(), map_hz.end(), 0.0F);
    return {*lowest, *highest, 1 - static_cast<double>(zeros) / static_cast<double>(map_hz.size())};
}

double typical_range_hz(std::span<const float> map_hz) {
    Floats measured(map_hz.begin(), map_hz.end());
    std::erase(measured, 0.0F);
    if (measured.empty()) {
        return 0;
    }
    const std::span values(measured);
    return double{quantile(values, 0.95)} - quantile(values, 0.05);
}

double rim_jump_hz(std::span<const float> map_hz, const PerAxis<Index>& matrix_size) {
    const PerAxis<Index> strides{1, matrix_size[0], matrix_size[0] * matrix_size[1]};
    double squares = 0;
    Index count = 0;
    for (Index n = 0; n < static_cast<Index>(map_hz.size()); ++n) {
        bool at_rim = false;
        for (int axis = 0; axis < 3 && map_hz[n] != 0; ++axis) {
            const Index i = n / strides[axis] % matrix_size[axis];
            at_rim = at_rim || (i > 0 && map_hz[n - strides[axis]] == 0) ||
                     (i + 1 < matrix_size[axis] && map_hz[n + strides[axis]] == 0);
        }
        squares += at_rim ? static_cast<double>(map_hz[n]) * static_cast<double>(map_hz[n]) : 0;
        count += at_rim ? 1 : 0;
    }
    return count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0;
}

double duration_of(std::span<const float> sample_times_s) {
    if (sample_times_s.empty()) {
        return 0;
    }
    const auto [first, last] = std::minmax_element(sample_times_s.begin(), sample_times_s.end());
    return static_cast<double>(*last) - static_cast<double>(*first);
}

}  // namespace recon
