#pragma once

#include <algorithm>

#include "core/fourier/field/trigonometric_field.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "tests/support/random.hpp"

namespace recon::test {

template <class Function>
void for_each_degree(const PerAxis<Index>& degree, Function&& function) {
    for (Index z = -degree[2]; z <= degree[2]; ++z) {
        for (Index y = -degree[1]; y <= degree[1]; ++y) {
            for (Index x = -degree[0]; x <= degree[0]; ++x) {
                function(PerAxis<Index>{x, y, z});
            }
        }
    }
}

inline TrigonometricField random_field(Index components, const PerAxis<Index>& degree, TrigonometricField::Sign sign) {
    TrigonometricField field(components, degree, sign);
    unsigned seed = 1;
    for_each_degree(degree, [&](const PerAxis<Index>& q) {
        const std::vector<cdouble> values = random_values(components, seed++);
        std::copy(values.begin(), values.end(), field.coefficients(q));
    });
    return field;
}

/// Of the coefficients and a sign, by the definition.
inline cdouble value_of(const TrigonometricField& field, double sign, Index component,
                        const PerAxis<double>& position) {
    cdouble sum = 0;
    for_each_degree(field.degree(), [&](const PerAxis<Index>& q) {
        double turns = 0;
        for (int axis = 0; axis < 3; ++axis) {
            turns += static_cast<double>(q[axis]) * position[axis];
        }
        sum += cdouble(field.coefficients(q)[component]) * std::polar(1.0, sign * 2 * pi * turns);
    });
    return sum;
}

inline PerAxis<double> position_of(const PerAxis<Index>& matrix, Index x, Index y, Index z) {
    const VoxelGrid grid = VoxelGrid::image(matrix);
    return {grid.position(0, x), grid.position(1, y), grid.position(2, z)};
}

}  // namespace recon::test
