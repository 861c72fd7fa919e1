#pragma once

#include <vector>

#include "core/fourier/direct_sums.hpp"
#include "core/fourier/off_resonance_maps.hpp"

namespace recon::test {

/// exp(-z_n t_m - i 2 pi k_m.r_n), straight from the model, each product reduced before it is rounded.
inline cdouble off_resonance_pair(const Trajectory& trajectory, const Positions& positions,
                                  const OffResonanceMaps& maps, const std::vector<float>& sample_times_s, Index m,
                                  Index n) {
    const auto turns = [](double a, double b) { return std::fma(a, b, -std::rint(a * b)); };
    const double time = sample_times_s[m];
    double phase = turns(maps.frequency_hz(n), time);
    for (int axis = 0; axis < 3; ++axis) {
        phase += turns(trajectory.k[axis][m], positions.r[axis][n]);
    }
    return std::polar(std::exp(-maps.decay_per_s(n) * time), -2 * pi * phase);
}

/// The definition of the sums with off-resonance, in double.
inline std::vector<cdouble> direct_off_resonance_forward(const Trajectory& trajectory, const VoxelGrid& grid,
                                                         const OffResonanceMaps& maps,
                                                         const std::vector<float>& sample_times_s,
                                                         const std::vector<cdouble>& image) {
    const Positions positions = Positions::of(grid);
    std::vector<cdouble> samples(trajectory.sample_count());
#pragma omp parallel for
    for (Index m = 0; m < trajectory.sample_count(); ++m) {
        for (Index n = 0; n < positions.count(); ++n) {
            samples[m] += image[n] * off_resonance_pair(trajectory, positions, maps, sample_times_s, m, n);
        }
    }
    return samples;
}

inline std::vector<cdouble> direct_off_resonance_adjoint(const Trajectory& trajectory, const VoxelGrid& grid,
                                                         const OffResonanceMaps& maps,
                                                         const std::vector<float>& sample_times_s,
                                                         const std::vector<cdouble>& samples) {
    const Positions positions = Positions::of(grid);
    std::vector<cdouble> image(positions.count());
#pragma omp parallel for
    for (Index n = 0; n < positions.count(); ++n) {
        for (Index m = 0; m < trajectory.sample_count(); ++m) {
            image[n] += samples[m] * std::conj(off_resonance_pair(trajectory, positions, maps, sample_times_s, m, n));
        }
    }
    return image;
}

}  // namespace recon::test
