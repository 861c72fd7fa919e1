#include "core/operators/penalties/edge_weights.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/quantile.hpp"
#include "core/operators/penalties/voxel_pairs.hpp"

namespace recon {

std::vector<int> axes_with_neighbours(PerAxis<Index> matrix_size) {
    std::vector<int> axes;
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] > 1) {
            axes.push_back(axis);
        }
    }
    return axes;
}

PerAxis<double> gradient_factors(PerAxis<Index> matrix_size, const PerAxis<double>& voxel_size_mm) {
    const std::vector<int> axes = axes_with_neighbours(matrix_size);
    PerAxis<double> factors{1, 1, 1};
    double smallest_mm = INFINITY;
    for (const int axis : axes) {
        smallest_mm = std::min(smallest_mm, voxel_size_mm[axis]);
    }
    if (smallest_mm > 0 && std::isfinite(smallest_mm)) {
        for (const int axis : axes) {
            factors[axis] = smallest_mm / voxel_size_mm[axis];
        }
    }
    return factors;
}

double voxel_noise(std::span<const float> image, PerAxis<Index> matrix_size) {
    require_voxels(image.size(), matrix_size);
    std::vector<float> values(image.begin(), image.end());
    const auto signal = static_cast<float>(0.1 * quantile(values, 0.99));
    std::vector<char> counts(values.size());
    std::transform(image.begin(), image.end(), counts.begin(), [&](float value) { return value > signal ? 1 : 0; });
    double gain = 1;  // of the noise
    Index stride = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const Index n = matrix_size[axis];
        const Index reach = std::min<Index>(n - 1, 2);
        for (Index i = 0; reach > 0 && i < static_cast<Index>(values.size()); ++i) {
            if (i / stride % n + reach >= n) {
                counts[i] = 0;
            } else if (reach == 2) {
                values[i] = values[i] - 2 * values[i + stride] + values[i + 2 * stride];
                counts[i] = counts[i] & counts[i + stride] & counts[i + 2 * stride];
            } else {
                values[i] = values[i] - values[i + stride];
                counts[i] = counts[i] & counts[i + stride];
            }
        }
        gain *= reach == 2 ? std::sqrt(6.0) : reach == 1 ? std::sqrt(2.0) : 1;
        stride *= n;
    }
    std::vector<float> counted;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (counts[i] != 0) {
            counted.push_back(std::abs(values[i]));
        }
    }
    constexpr double quartile_of_normal = 0.31864;  // P(|x| < 0.31864) = 1/4
    return gain > 1 && !counted.empty() ? quantile(std::span(counted), 0.25) / (quartile_of_normal * gain) : 0;
}

double difference_rms(std::span<const float> values, PerAxis<Index> matrix_size) {
    require_voxels(values.size(), matrix_size);
    double sum = 0, count = 0;
    for_each_pair(matrix_size, [&](Index i, Index j, int) {
        const double step = static_cast<double>(values[j]) - values[i];
        sum += step * step;
        count += 1;
    });
    return count > 0 ? std::sqrt(sum / count) : 0;
}

std::vector<float> edge_weights(std::span<const float> reference, PerAxis<Index> matrix_size, double edge_scale) {
    require_voxels(reference.size(), matrix_size);
    if (!(edge_scale > 0)) {
        throw ShapeError("edge weights: the scale of edges is not positive");
    }
    const auto axis_count = static_cast<Index>(axes_with_neighbours(matrix_size).size());
    const auto voxel_count = static_cast<Index>(reference.size());
    std::vector<float> weights(voxel_count * std::max<Index>(axis_count, 1), 0);
    for_each_pair(matrix_size, [&](Index i, Index j, int slot) {
        const double step = (static_cast<double>(reference[i]) - reference[j]) / edge_scale;
        weights[slot * voxel_count + i] = static_cast<float>(1 / std::sqrt(1 + step * step));
    });
    return weights;
}

}  // namespace recon
