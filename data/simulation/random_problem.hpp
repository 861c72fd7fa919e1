#pragma once

#include <random>
#include <vector>

#include "core/backend/array.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon {

// Problems for tests and benchmarks that ask nothing of their numbers; the same for the same seed.

/// Complex numbers with independent normal parts.
inline std::vector<cdouble> random_values(Index count, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    std::vector<cdouble> values(count);
    for (cdouble& value : values) {
        const double real = normal(generator);
        value = {real, normal(generator)};
    }
    return values;
}

inline Array random_array(Backend& backend, const Shape& shape, Precision precision, unsigned seed) {
    Array array(backend, shape, precision);
    upload(random_values(shape.element_count(), seed), array);
    return array;
}

/// Samples spread evenly over k-space of the matrix, edges included.
inline Trajectory random_trajectory(Index sample_count, PerAxis<Index> matrix_size, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    Trajectory trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        trajectory.k[axis].resize(sample_count);
        for (double& k : trajectory.k[axis]) {
            k = matrix_size[axis] > 1 ? uniform(generator) * static_cast<double>(matrix_size[axis]) : 0;
        }
    }
    return trajectory;
}

}  // namespace recon
