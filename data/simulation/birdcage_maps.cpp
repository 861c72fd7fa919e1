#include "data/simulation/birdcage_maps.hpp"

#include <omp.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>

#include "core/fourier/voxel_grid.hpp"

namespace recon {
namespace {

constexpr double coil_radius = 0.75;   // fields of view from the centre
constexpr double ring_spacing = 0.45;  // fields of view along z
constexpr Index coils_per_ring = 12;   // at most, where there are three rings or more

struct Ring {
    Index index;
    Index count;       ///< rings
    Index first_coil;  ///< of this ring
    Index coil_count;  ///< in this ring
};

/// One ring up to 5 coils, two up to 24, then one more for every twelve.
Ring ring_of(Index coil, Index coil_count, bool has_z_axis) {
    Index count = 1;
    if (has_z_axis && coil_count > 5) {
        count = std::max<Index>(2, (coil_count + coils_per_ring - 1) / coils_per_ring);
    }
    Index first = 0;
    for (Index ring = 0;; ++ring) {
        const Index in_ring = coil_count / count + (ring < coil_count % count ? 1 : 0);
        if (coil < first + in_ring) {
            return {ring, count, first, in_ring};
        }
        first += in_ring;
    }
}

cdouble unnormalized_sensitivity(Index coil, Index coil_count, bool has_z_axis, const PerAxis<double>& position) {
    const Ring ring = ring_of(coil, coil_count, has_z_axis);
    // Every second ring is turned by half the angle between its coils.
    const double azimuth = 2 * pi *
                           (static_cast<double>(coil - ring.first_coil) + 0.5 * static_cast<double>(ring.index % 2)) /
                           static_cast<double>(ring.coil_count);
    const double height = ring_spacing * (static_cast<double>(ring.index) - 0.5 * static_cast<double>(ring.count - 1));
    const double x = position[0] - coil_radius * std::cos(azimuth);
    const double y = position[1] - coil_radius * std::sin(azimuth);
    const double z = has_z_axis ? position[2] - height : 0;
    // Seen from the coil, the field's direction turns with the azimuth; the centre sees the phase `azimuth`.
    return std::polar(1 / (x * x + y * y + z * z), std::atan2(-y, -x));
}

std::vector<PerAxis<double>> half_integer_frequencies(PerAxis<bool> present) {
    std::vector<PerAxis<double>> frequencies;
    const auto reach = [&](int axis) { return present[axis] ? 2 : 0; };
    for (int z = -reach(2); z <= reach(2); ++z) {
        for (int y = -reach(1); y <= reach(1); ++y) {
            for (int x = -reach(0); x <= reach(0); ++x) {
                if (x * x + y * y + z * z <= 4) {
                    frequencies.push_back({0.5 * x, 0.5 * y, 0.5 * z});
                }
            }
        }
    }
    return frequencies;
}

}  // namespace

cdouble birdcage_sensitivity(Index coil, Index coil_count, bool has_z_axis, const PerAxis<double>& position) {
    double sum_of_squares = 0;
    for (Index other = 0; other < coil_count; ++other) {
        sum_of_squares += std::norm(unnormalized_sensitivity(other, coil_count, has_z_axis, position));
    }
    return unnormalized_sensitivity(coil, coil_count, has_z_axis, position) / std::sqrt(sum_of_squares);
}

TrigonometricMaps fit_birdcage_maps(Index coil_count, PerAxis<bool> present, PerAxis<double> section) {
    if (coil_count == 1) {
        return constant_map();
    }
    constexpr int points_per_axis = 13;
    std::vector<PerAxis<double>> points;
    const auto count = [&](int axis) { return present[axis] ? points_per_axis : 1; };
    const auto place = [&](int axis, int i) {
        return present[axis] ? static_cast<double>(i) / (points_per_axis - 1) - 0.5 : section[axis];
    };
    for (int z = 0; z < count(2); ++z) {
        for (int y = 0; y < count(1); ++y) {
            for (int x = 0; x < count(0); ++x) {
                points.push_back({place(0, x), place(1, y), place(2, z)});
            }
        }
    }

    TrigonometricMaps maps;
    maps.frequencies = half_integer_frequencies(present);
    maps.map_count = coil_count;
    const auto point_count = static_cast<Eigen::Index>(points.size());
    const auto frequency_count = static_cast<Eigen::Index>(maps.frequencies.size());
    Eigen::MatrixXcd exponentials(point_count, frequency_count);
    Eigen::MatrixXcd wanted(point_count, coil_count);
    Eigen::VectorXd weight(point_count);
    for (Eigen::Index p = 0; p < point_count; ++p) {
        const PerAxis<double>& r = points[p];
        // Phantoms stay within the ball that touches the faces; the corners, close to the coils, count little.
        weight(p) = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] <= 0.25 ? 1 : 0.02;
        for (Eigen::Index q = 0; q < frequency_count; ++q) {
            const PerAxis<double>& f = maps.frequencies[q];
            exponentials(p, q) = std::polar(1.0, 2 * pi * (f[0] * r[0] + f[1] * r[1] + f[2] * r[2]));
        }
        for (Index coil = 0; coil < coil_count; ++coil) {
            wanted(p, coil) = birdcage_sensitivity(coil, coil_count, present[2], r);
        }
    }
    // Exponentials on half of their period are nearly dependent: a small ridge keeps the coefficients small.
    Eigen::MatrixXcd normal = exponentials.adjoint() * weight.asDiagonal() * exponentials;
    normal.diagonal().array() += 1e-6 * static_cast<double>(point_count);
    const Eigen::MatrixXcd coefficients = normal.ldlt().solve(exponentials.adjoint() * weight.asDiagonal() * wanted);
    maps.coefficients.assign(coefficients.data(), coefficients.data() + coefficients.size());
    return maps;
}

std::vector<cfloat> evaluate_maps(const TrigonometricMaps& maps, PerAxis<Index> matrix_size, PerAxis<double> section) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    const Index voxel_count = grid.shape.element_count();
    const auto frequency_count = static_cast<Eigen::Index>(maps.frequencies.size());
    // exp(i 2 pi q.r) is a product over the axes: a table each, [voxel frequency].
    PerAxis<Eigen::MatrixXcd> factor;
    for (int axis = 0; axis < 3; ++axis) {
        factor[axis].resize(matrix_size[axis], frequency_count);
        for (Index i = 0; i < matrix_size[axis]; ++i) {
            const double position = matrix_size[axis] > 1 ? grid.position(axis, i) : section[axis];
            for (Eigen::Index q = 0; q < frequency_count; ++q) {
                factor[axis](i, q) = std::polar(1.0, 2 * pi * maps.frequencies[q][axis] * position);
            }
        }
    }
    const Eigen::Map<const Eigen::MatrixXcd> coefficients(maps.coefficients.data(), frequency_count, maps.map_count);
    std::vector<cfloat> values(voxel_count * maps.map_count);
    const Index row_count = matrix_size[1] * matrix_size[2];
    // Scratch made here: an allocation that fails must not throw inside the parallel loop.
    std::vector<Eigen::VectorXcd> scratch(omp_get_max_threads(), Eigen::VectorXcd(matrix_size[0]));
#pragma omp parallel for schedule(static)
    for (Index row = 0; row < row_count; ++row) {
        Eigen::VectorXcd& line = scratch[omp_get_thread_num()];
        for (Index map = 0; map < maps.map_count; ++map) {
            line.setZero();
            for (Eigen::Index q = 0; q < frequency_count; ++q) {
                line += factor[0].col(q) * (factor[1](row % matrix_size[1], q) * factor[2](row / matrix_size[1], q) *
                                            coefficients(q, map));
            }
            Eigen::Map<Eigen::VectorXcf>(values.data() + map * voxel_count + row * matrix_size[0], matrix_size[0]) =
                line.cast<cfloat>();
        }
    }
    return values;
}

}  // namespace recon
