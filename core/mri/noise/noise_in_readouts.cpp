#include "core/mri/noise/noise_in_readouts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/mri/noise/high_frequencies.hpp"

namespace recon {
namespace {

constexpr double by_chance = 4;  // standard deviations

/// Whether the values of one coil are noise. @param values  [frequency readout]
bool is_noise(std::span<const cfloat> values, Index of_readout, double signal) {
    constexpr std::size_t band_count = 4;
    constexpr double unevenness = 1.5;       // of the bands' variances: receivers' filters are not flat
    constexpr double of_median = 1.44;       // the median's standard deviation by the mean's
    constexpr double not_gaussian = 0.1;     // relative difference of mean and median
    constexpr double rounding_part = 1e-12;  // of the signal's energy
    std::array<double, band_count> sums{};
    std::vector<double> squares(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        squares[i] = std::norm(cdouble(values[i]));
        sums[i % static_cast<std::size_t>(of_readout) * band_count / static_cast<std::size_t>(of_readout)] +=
            squares[i];
    }
    const auto count = static_cast<double>(values.size());
    const double mean = (sums[0] + sums[1] + sums[2] + sums[3]) / count;
    const double deviation = std::sqrt(readout_values_of_noise / count);
    const auto [least, most] = std::ranges::minmax(sums);
    const double chance_of_band = by_chance * deviation * std::sqrt(static_cast<double>(band_count));
    return mean > rounding_part * signal && most <= least * unevenness * (1 + chance_of_band) &&
           std::abs(robust_variance(squares) / mean - 1) <= not_gaussian + by_chance * of_median * deviation;
}

}  // namespace

Index noise_values_of_readout(Index samples_per_readout) { return HighFrequencies(samples_per_readout).count(); }

std::vector<cfloat> noise_in_readouts(const KspaceExcerpt& excerpt, const PerAxis<Index>& matrix_size) {
    const Index length = excerpt.samples_per_readout, readout_count = excerpt.readout_count();
    if (!high_frequencies_are_free(excerpt, matrix_size, readout_count)) {
        return {};
    }
    const HighFrequencies frequencies(length);
    const Index of_readout = frequencies.count(), of_coil = readout_count * of_readout;
    std::vector<cfloat> noise(static_cast<std::size_t>(of_coil * excerpt.coil_count));
    bool all_are = true;
#pragma omp parallel for schedule(dynamic) reduction(&& : all_are)
    for (Index coil = 0; coil < excerpt.coil_count; ++coil) {
        const auto measured = std::span(excerpt.kspace).subspan(coil * excerpt.sample_count(), excerpt.sample_count());
        const auto values = std::span(noise).subspan(coil * of_coil, of_coil);
        double signal = 0;
        for (Index readout = 0; readout < readout_count; ++readout) {
            const auto samples = measured.subspan(readout * length, length);
            for (const cfloat sample : samples) {
                signal += std::norm(cdouble(sample)) / static_cast<double>(excerpt.sample_count());
            }
            frequencies.find(samples, values.subspan(readout * of_readout, of_readout));
        }
        all_are = all_are && is_noise(values, of_readout, signal);
    }
    return all_are ? noise : std::vector<cfloat>();
}

}  // namespace recon
