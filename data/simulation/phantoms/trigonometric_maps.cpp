#include "data/simulation/phantoms/trigonometric_maps.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Index of a frequency, which is added if it is new: equal to rounding is equal.
std::size_t place_of(const PerAxis<double>& frequency, std::vector<PerAxis<double>>& frequencies) {
    constexpr double rounding = 1e-9;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
        double distance = 0;
        for (int axis = 0; axis < 3; ++axis) {
            distance = std::max(distance, std::abs(frequencies[i][axis] - frequency[axis]));
        }
        if (distance < rounding) {
            return i;
        }
    }
    frequencies.push_back(frequency);
    return frequencies.size() - 1;
}

}  // namespace

cdouble TrigonometricMaps::value(Index map, const PerAxis<double>& position) const {
    const Index frequency_count = static_cast<Index>(frequencies.size());
    cdouble sum = 0;
    for (Index q = 0; q < frequency_count; ++q) {
        const PerAxis<double>& f = frequencies[q];
        const double turns = f[0] * position[0] + f[1] * position[1] + f[2] * position[2];
        sum += coefficients[map * frequency_count + q] * std::polar(1.0, 2 * pi * turns);
    }
    return sum;
}

std::vector<cdouble> TrigonometricMaps::values(Index map, const VoxelGrid& grid) const {
    const auto frequency_count = static_cast<Eigen::Index>(frequencies.size());
    // exp(i 2 pi q.r) is a product over the axes: a table each, [voxel frequency].
    PerAxis<Eigen::MatrixXcd> factor;
    for (int axis = 0; axis < 3; ++axis) {
        factor[axis].resize(grid.shape.extent(axis), frequency_count);
        for (Index i = 0; i < grid.shape.extent(axis); ++i) {
            for (Eigen::Index q = 0; q < frequency_count; ++q) {
                factor[axis](i, q) = std::polar(1.0, 2 * pi * frequencies[q][axis] * grid.position(axis, i));
            }
        }
    }
    const Index width = grid.shape.extent(0), height = grid.shape.extent(1);
    const Eigen::Map<const Eigen::VectorXcd> of_map(coefficients.data() + map * frequency_count, frequency_count);
    std::vector<cdouble> result(grid.shape.element_count());
#pragma omp parallel for schedule(static)
    for (Index row = 0; row < height * grid.shape.extent(2); ++row) {
        Eigen::Map<Eigen::VectorXcd> line(result.data() + row * width, width);
        for (Eigen::Index q = 0; q < frequency_count; ++q) {
            line += factor[0].col(q) * (factor[1](row % height, q) * factor[2](row / height, q) * of_map(q));
        }
    }
    return result;
}

TrigonometricMaps constant_map() { return {{{0, 0, 0}}, 1, {1}}; }

TrigonometricMaps product(const TrigonometricMaps& maps, const TrigonometricMaps& factor) {
    if (factor.map_count != 1) {
        throw ShapeError("product of maps: the second factor has more than one map, expected one");
    }
    TrigonometricMaps result;
    result.map_count = maps.map_count;
    std::vector<std::size_t> place;
    for (const PerAxis<double>& q : maps.frequencies) {
        for (const PerAxis<double>& p : factor.frequencies) {
            place.push_back(place_of({q[0] + p[0], q[1] + p[1], q[2] + p[2]}, result.frequencies));
        }
    }
    const std::size_t map_length = maps.frequencies.size(), factor_length = factor.frequencies.size();
    result.coefficients.assign(result.frequencies.size() * result.map_count, 0);
    for (Index map = 0; map < maps.map_count; ++map) {
        for (std::size_t i = 0; i < place.size(); ++i) {
            result.coefficients[map * result.frequencies.size() + place[i]] +=
                maps.coefficients[map * map_length + i / factor_length] * factor.coefficients[i % factor_length];
        }
    }
    return result;
}

}  // namespace recon
