#include "core/mri/edge_weights.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/mri/voxel_pairs.hpp"

namespace recon {
namespace {

/// The value below which a fraction `part` of `values` lies; reorders them. 0 of none.
double quantile(std::vector<float>& values, double part) {
    if (values.empty()) {
        return 0;
    }
    const auto at = values.begin() + static_cast<Index>(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

}  // namespace

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

double difference_noise(std::span<const float> reference, PerAxis<Index> matrix_size) {
    require_voxels(reference.size(), matrix_size);
    std::vector<float> sorted(reference.begin(), reference.end());
    const auto signal = static_cast<float>(0.1 * quantile(sorted, 0.99));
    std::vector<float>& differences = sorted;
    differences.clear();
    for_each_pair(matrix_size, [&](Index i, Index j, int) {
        if (reference[i] > signal && reference[j] > signal) {
            differences.push_back(std::abs(reference[i] - reference[j]));
        }
    });
    constexpr double normal_deviation_over_median = 1.4826;
    return normal_deviation_over_median * quantile(differences, 0.5);
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
