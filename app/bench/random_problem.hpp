#pragma once

#include <random>

#include "core/backend.hpp"

namespace recon {

/// Samples spread evenly over the band of a matrix: speed and error of the sums do not depend on more.
inline Trajectory random_trajectory(Index sample_count, PerAxis<Index> matrix_size, unsigned seed) {
    std::mt19937_64 random(seed);
    Trajectory trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        const double half = matrix_size[axis] > 1 ? static_cast<double>(matrix_size[axis]) / 2 : 0;
        std::uniform_real_distribution<double> anywhere(-half, half);
        trajectory.k[axis].resize(sample_count);
        for (double& k : trajectory.k[axis]) {
            k = half > 0 ? anywhere(random) : 0;
        }
    }
    return trajectory;
}

/// Normally distributed numbers, real and imaginary part.
inline std::vector<cfloat> random_values(Index count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    std::vector<cfloat> values(count);
    for (cfloat& value : values) {
        const float real = normal(random);
        value = {real, normal(random)};
    }
    return values;
}

inline Array random_array(Backend& backend, const Shape& shape, unsigned seed) {
    Array array(backend, shape, Precision::single);
    upload(random_values(shape.element_count(), seed), array);
    return array;
}

}  // namespace recon
