#pragma once

#include <recon/core/fourier/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

// What both programs reconstruct: a disc with a spot in it, seen by two coils along radial readouts.
namespace example {

constexpr recon::PerAxis<recon::Index> matrix_size{48, 48, 1};
constexpr recon::Index voxel_count = 48 * 48, coil_count = 2, readout_count = 75, samples_per_readout = 96;

/// Spokes through the centre of k-space, in cycles per field of view.
inline recon::Trajectory radial_trajectory() {
    recon::Trajectory trajectory;
    for (recon::Index readout = 0; readout < readout_count; ++readout) {
        const double angle = recon::pi * static_cast<double>(readout) / readout_count;
        for (recon::Index sample = 0; sample < samples_per_readout; ++sample) {
            const double radius = static_cast<double>(sample - samples_per_readout / 2) / 2;
            trajectory.k[0].push_back(radius * std::cos(angle));
            trajectory.k[1].push_back(radius * std::sin(angle));
            trajectory.k[2].push_back(0);
        }
    }
    return trajectory;
}

/// Calls function(x, y) for every voxel, x fastest, in fields of view from the centre.
template <class Function>
std::vector<recon::cfloat> image_of(Function&& function) {
    std::vector<recon::cfloat> image;
    for (recon::Index iy = 0; iy < matrix_size[1]; ++iy) {
        for (recon::Index ix = 0; ix < matrix_size[0]; ++ix) {
            image.emplace_back(static_cast<float>(function(ix / 48.0 - 0.5, iy / 48.0 - 0.5)));
        }
    }
    return image;
}

/// Smooth at the scale of a voxel: its k-space ends where the readouts do.
inline std::vector<recon::cfloat> true_image() {
    return image_of([](double x, double y) {
        const double edge = std::hypot(x / 0.4, y / 0.3) - 1, spot = std::hypot(x - 0.1, y) - 0.1;
        return std::erfc(10 * edge) / 2 + std::erfc(30 * spot) / 2;
    });
}

/// [x y z coil], with a root of the sum of squares of 1.
inline std::vector<recon::cfloat> coil_maps() {
    std::vector<recon::cfloat> maps = image_of([](double x, double) { return std::cos(x + 0.8); });
    const std::vector<recon::cfloat> second = image_of([](double x, double) { return std::sin(x + 0.8); });
    maps.insert(maps.end(), second.begin(), second.end());
    return maps;
}

/// |image - truth| / |truth|
inline double error_of(std::span<const recon::cfloat> image, std::span<const recon::cfloat> truth) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        difference += std::norm(image[i] - truth[i]);
        size += std::norm(truth[i]);
    }
    return std::sqrt(difference / size);
}

}  // namespace example
