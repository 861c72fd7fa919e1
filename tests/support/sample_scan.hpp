#pragma once

#include <cmath>
#include <memory>
#include <random>

#include "core/mri/scan.hpp"

namespace recon::test {

struct SampleScanShape {
    PerAxis<Index> matrix{6, 5, 3};
    Index coils = 2;
    Index readouts = 4;
    Index samples = 7;
    Index frames = 1;
};

/// A scan with everything a file can hold: random positions that reach the band's edge, random data, fixed seed.
inline Scan sample_scan(const SampleScanShape& shape = {}) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto number = [&] { return static_cast<float>(uniform(random)); };
    const auto complex = [&] { return cfloat(number(), number()); };
    Scan scan;
    scan.geometry.matrix_size = shape.matrix;
    scan.geometry.field_of_view_mm = {240, 200, 33};
    scan.geometry.orientation = Orientation{{1, 2, 3}, {0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
    scan.coil_count = shape.coils;
    scan.samples_per_readout = shape.samples;
    const auto count = static_cast<std::size_t>(shape.readouts * shape.samples);
    auto trajectory = std::make_shared<Trajectory>();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double edge = shape.matrix[axis] > 1 ? static_cast<double>(shape.matrix[axis]) / 2 : 0;
        for (std::size_t s = 0; s < count; ++s) {
            trajectory->k[axis].push_back(static_cast<float>(s == 0 ? -edge : edge * uniform(random)));
        }
    }
    for (Index f = 0; f < shape.frames; ++f) {
        Frame frame;
        frame.label.contrast = f;
        frame.trajectory = trajectory;
        for (std::size_t s = 0; s < count; ++s) {
            frame.density_weights.push_back(std::abs(number()));
            frame.sample_times_s.push_back(1e-3F +
                                           1e-5F * static_cast<float>(s % static_cast<std::size_t>(shape.samples)));
        }
        for (std::size_t i = 0; i < count * static_cast<std::size_t>(shape.coils); ++i) {
            frame.kspace.push_back(complex());
        }
        scan.frames.push_back(frame);
    }
    const auto voxels = static_cast<std::size_t>(shape.matrix[0] * shape.matrix[1] * shape.matrix[2]);
    for (std::size_t i = 0; i < voxels; ++i) {
        scan.off_resonance_hz.push_back(100 * number());
    }
    for (std::size_t i = 0; i < voxels * static_cast<std::size_t>(shape.coils); ++i) {
        scan.coil_maps.push_back(complex());
    }
    for (std::size_t i = 0; i < 40 * static_cast<std::size_t>(shape.coils); ++i) {
        scan.noise.push_back(complex());
    }
    return scan;
}

}  // namespace recon::test
