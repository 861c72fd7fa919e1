#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/fourier/off_resonance_maps.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon::test {

/// A scan's worth of off-resonance: stack of spirals, readouts of 30 ms, frequencies of +-250 Hz.
struct OffResonanceCase {
    PerAxis<Index> matrix_size;
    std::vector<float> frequency_hz;  ///< [x y z]
    std::vector<float> decay_per_s;   ///< R2*, [x y z]; empty for none
    Trajectory trajectory;
    std::vector<float> sample_times_s;

    OffResonanceMaps maps() const { return {frequency_hz, decay_per_s}; }
    Index sample_count() const { return trajectory.sample_count(); }
    Index voxel_count() const { return matrix_size[0] * matrix_size[1] * matrix_size[2]; }
};

/// Scaled so that the largest modulus is `largest`.
inline void scale_to(std::vector<float>& map, float largest) {
    float modulus = 0;
    for (const float value : map) {
        modulus = std::max(modulus, std::abs(value));
    }
    for (float& value : map) {
        value *= largest / modulus;
    }
}

/// What a shim leaves behind above a cavity: slopes and a focus, with a rim of its own sign.
inline std::vector<float> simulated_field_map(PerAxis<Index> n) {
    std::vector<float> map;
    for (Index z = 0; z < n[2]; ++z) {
        for (Index y = 0; y < n[1]; ++y) {
            for (Index x = 0; x < n[0]; ++x) {
                const auto position = [&](Index i, Index count) {
                    return count > 1 ? 2 * static_cast<double>(i) / static_cast<double>(count - 1) - 1 : 0;
                };
                const double px = position(x, n[0]), py = position(y, n[1]), pz = position(z, n[2]);
                const double r = px * px + (py - 0.6) * (py - 0.6) + 0.5 * pz * pz;
                map.push_back(static_cast<float>(std::exp(-12 * r) - 0.6 * std::exp(-2 * r) - 0.25 * px + 0.2 * py +
                                                 0.15 * px * pz));
            }
        }
    }
    scale_to(map, 250);
    return map;
}

/// R2* from 10 to 60 /s.
inline std::vector<float> simulated_decay_map(PerAxis<Index> n) {
    std::vector<float> map = simulated_field_map(n);
    for (float& value : map) {
        value = 35 + 0.1F * value;
    }
    return map;
}

inline void add_spirals(OffResonanceCase& c, Index readout_count, Index readout_length) {
    const PerAxis<Index>& n = c.matrix_size;
    for (Index plane = 0; plane < n[2]; ++plane) {
        for (Index readout = 0; readout < readout_count; ++readout) {
            for (Index s = 0; s < readout_length; ++s) {
                const double fraction = static_cast<double>(s) / static_cast<double>(readout_length);
                const double angle =
                    2 * pi *
                    (fraction * static_cast<double>(n[0]) / (2.0 * static_cast<double>(readout_count)) +
                     static_cast<double>(readout) / static_cast<double>(readout_count));
                c.trajectory.k[0].push_back(static_cast<double>(n[0]) / 2 * fraction * std::cos(angle));
                c.trajectory.k[1].push_back(static_cast<double>(n[1]) / 2 * fraction * std::sin(angle));
                c.trajectory.k[2].push_back(static_cast<double>(plane - n[2] / 2));
                c.sample_times_s.push_back(static_cast<float>(0.002 + 0.03 * fraction));
            }
        }
    }
}

/// @param readout_count  of each plane of k-space
inline OffResonanceCase simulated_off_resonance(PerAxis<Index> matrix_size, Index readout_count, Index readout_length) {
    OffResonanceCase c{matrix_size, simulated_field_map(matrix_size), {}, {}, {}};
    add_spirals(c, readout_count, readout_length);
    return c;
}

/// The field map measured in a head that Fessler 2005 shows, 64 x 64, scaled to +-250 Hz where there is a head and left
/// as it is, noise within +-250 Hz, elsewhere; the same in every plane, falling off along z. Empty if it is not there.
/// @param folder  with phfit_re.raw and phfit_im.raw: big-endian floats of a complex image whose angle is 2 pi f 2 ms
inline std::vector<float> measured_field_map(const std::filesystem::path& folder, Index plane_count) {
    constexpr Index size = 64 * 64;
    const auto read = [&](const char* name) {
        std::ifstream file(folder / name, std::ios::binary);
        std::vector<float> values(size);
        for (float& value : values) {
            unsigned char bytes[4]{};
            file.read(reinterpret_cast<char*>(bytes), 4);
            value = std::bit_cast<float>(static_cast<std::uint32_t>(bytes[0]) << 24 | bytes[1] << 16 | bytes[2] << 8 |
                                         bytes[3]);
        }
        return file ? values : std::vector<float>();
    };
    const std::vector<float> real = read("phfit_re.raw");
    const std::vector<float> imaginary = read("phfit_im.raw");
    if (real.empty() || imaginary.empty()) {
        return {};
    }
    std::vector<float> plane(size);
    std::vector<bool> is_head(size);
    float brightest = 0;
    for (Index n = 0; n < size; ++n) {
        plane[n] = std::atan2(imaginary[n], real[n]) / static_cast<float>(2 * pi * 0.002);
        brightest = std::max(brightest, std::hypot(real[n], imaginary[n]));
    }
    float low = 0, high = 0;
    for (Index n = 0; n < size; ++n) {
        is_head[n] = std::hypot(real[n], imaginary[n]) > 0.1F * brightest;
        low = is_head[n] ? std::min(low, plane[n]) : low;
        high = is_head[n] ? std::max(high, plane[n]) : high;
    }
    std::vector<float> map;
    for (Index z = 0; z < plane_count; ++z) {
        const float fall = 1 - 0.5F * static_cast<float>(z) / static_cast<float>(plane_count);
        for (Index n = 0; n < size; ++n) {
            map.push_back(is_head[n] ? fall * (500 * (plane[n] - low) / (high - low) - 250) : plane[n]);
        }
    }
    return map;
}

}  // namespace recon::test
