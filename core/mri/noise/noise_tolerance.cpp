#include "core/mri/noise/noise_tolerance.hpp"

#include <algorithm>
#include <cmath>

namespace recon {
namespace {

/// What the image's change came to beside what the model says, at worst, over simulated scans (docs/accuracy-check.md).
/// More in 3-D, where the crowded centre of k-space spills into all of it; more where maps of off-resonance spread it.
constexpr double margin_2d = 6, margin_3d = 60, of_off_resonance = 2;

struct FrequencyShell {
    double cells = 0;
    double samples = 0;  ///< of the excerpt
    double energy = 0;   ///< sum_c |d_c|^2 of these
};

/// Shells of |k|, a cycle per field of view thick, with the cells of the matrix in each: counted at no more than 32
/// places of an axis.
std::vector<FrequencyShell> shells_of(const PerAxis<Index>& matrix_size) {
    constexpr Index most_places = 32;
    PerAxis<Index> places;
    double square = 0, weight = 1;
    for (int axis = 0; axis < 3; ++axis) {
        places[axis] = std::min(matrix_size[axis], most_places);
        square += std::pow(static_cast<double>(matrix_size[axis]) / 2, 2);
        weight *= static_cast<double>(matrix_size[axis]) / static_cast<double>(places[axis]);
    }
    const auto k_of = [&](int axis, Index place) {
        const auto n = static_cast<double>(matrix_size[axis]);
        return n > 1 ? n * ((static_cast<double>(place) + 0.5) / static_cast<double>(places[axis]) - 0.5) : 0;
    };
    std::vector<FrequencyShell> shells(static_cast<std::size_t>(std::sqrt(square)) + 2);
    for (Index z = 0; z < places[2]; ++z) {
        for (Index y = 0; y < places[1]; ++y) {
            for (Index x = 0; x < places[0]; ++x) {
                shells[static_cast<std::size_t>(std::hypot(k_of(0, x), k_of(1, y), k_of(2, z)))].cells += weight;
            }
        }
    }
    return shells;
}

}  // namespace

double tolerance_of_noise(const KspaceExcerpt& excerpt, const PerAxis<Index>& matrix_size, double sigma, double share,
                          FieldMapUse field_map) {
    std::vector<FrequencyShell> shells = shells_of(matrix_size);
    const Index sample_count = excerpt.sample_count();
    for (Index m = 0; m < sample_count; ++m) {
        double square = 0;
        for (int axis = 0; axis < 3; ++axis) {
            square += matrix_size[axis] > 1 ? std::pow(double(excerpt.trajectory.k[axis][m]), 2) : 0;
        }
        FrequencyShell& shell = shells[std::min(static_cast<std::size_t>(std::sqrt(square)), shells.size() - 1)];
        shell.samples += 1;
        for (Index coil = 0; coil < excerpt.coil_count; ++coil) {
            shell.energy += std::norm(cdouble(excerpt.kspace[coil * sample_count + m]));
        }
    }
    const double variance = sigma * sigma;
    double of_noise = 0, of_signal = 0;
    for (const FrequencyShell& shell : shells) {
        if (shell.samples == 0) {
            continue;
        }
        const double noise = variance * std::min(1.0, shell.cells * excerpt.share / shell.samples);
        const double signal =
            std::max(0.0, shell.energy / shell.samples - static_cast<double>(excerpt.coil_count) * variance);
        const double gain = signal > 0 ? signal / (signal + noise) : 0;
        of_noise += shell.cells * gain * gain * noise;
        of_signal += shell.cells * gain * gain * signal;
    }
    const bool is_3d = std::count(matrix_size.begin(), matrix_size.end(), 1) == 0;
    const double margin =
        (is_3d ? margin_3d : margin_2d) * (field_map == FieldMapUse::corrected ? of_off_resonance : 1);
    return of_signal > 0 ? share / margin * std::sqrt(of_noise / of_signal) : 0;
}

}  // namespace recon
