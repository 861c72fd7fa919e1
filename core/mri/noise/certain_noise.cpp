#include "core/mri/noise/certain_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/mri/noise/high_frequencies.hpp"

namespace recon {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr Index most_coils = 8;         ///< more tell nothing new
constexpr Index most_values = 1 << 17;  ///< of all coils
constexpr std::size_t band_count = 4;   ///< of the high frequencies
constexpr double unevenness = 1.5;      ///< of their variances: receivers' filters are not flat
constexpr double same_place = 1e-4;     ///< cycles per field of view
constexpr std::size_t fewest_repeats = 16;
constexpr double deviation_of_median = 1.44;  ///< of exponentials, relative, times the root of their number

/// A variance of noise and its relative standard deviation.
struct Estimate {
    double variance = unknown;
    double deviation = 0;
    const char* source = "";
};

/// Of two of the same noise both, by what each is known to; else the lower one, as signal only adds to them.
Estimate together(const Estimate& one, const Estimate& other) {
    constexpr double by_chance = 3;
    const Estimate& lower = one.variance < other.variance ? one : other;
    const double most = lower.variance * (1 + by_chance * std::hypot(one.deviation, other.deviation));
    if (lower.variance == unknown || std::max(one.variance, other.variance) > most) {
        return lower;
    }
    const double of_one = 1 / std::pow(one.deviation, 2), of_other = 1 / std::pow(other.deviation, 2);
    return {(of_one * one.variance + of_other * other.variance) / (of_one + of_other), 1 / std::sqrt(of_one + of_other),
            of_one > of_other ? one.source : other.source};
}

/// Variances of the bands of one coil.
std::array<double, band_count> variances_of_bands(const HighFrequencies& frequencies, std::span<const cfloat> coil,
                                                  Index length) {
    std::array<std::vector<double>, band_count> squares;
    std::vector<double> of_readout(static_cast<std::size_t>(frequencies.count()));
    for (std::size_t first = 0; first < coil.size(); first += static_cast<std::size_t>(length)) {
        frequencies.find(coil.subspan(first, static_cast<std::size_t>(length)), of_readout);
        for (std::size_t bin = 0; bin < of_readout.size(); ++bin) {
            squares[bin * band_count / of_readout.size()].push_back(of_readout[bin]);
        }
    }
    std::array<double, band_count> variances;
    std::transform(squares.begin(), squares.end(), variances.begin(), robust_variance);
    return variances;
}

Estimate of_high_frequencies(const KspaceExcerpt& excerpt, const PerAxis<Index>& matrix_size) {
    const Index length = excerpt.samples_per_readout;
    const Index coils = std::min(excerpt.coil_count, most_coils);
    const Index readouts =
        std::min(excerpt.readout_count(), std::max<Index>(1, most_values / (coils * std::max<Index>(1, length))));
    if (!high_frequencies_are_free(excerpt, matrix_size, readouts)) {
        return {};
    }
    const HighFrequencies frequencies(length);
    std::vector<std::array<double, band_count>> of_coils(static_cast<std::size_t>(coils));
#pragma omp parallel for schedule(dynamic)
    for (Index i = 0; i < coils; ++i) {
        const Index coil = i * excerpt.coil_count / coils;
        of_coils[static_cast<std::size_t>(i)] = variances_of_bands(
            frequencies, std::span(excerpt.kspace).subspan(coil * excerpt.sample_count(), readouts * length), length);
    }
    std::array<double, band_count> sums{};
    for (const auto& of_coil : of_coils) {
        for (std::size_t band = 0; band < band_count; ++band) {
            sums[band] += of_coil[band] / static_cast<double>(coils);
        }
    }
    // neighbouring frequencies share a part of their noise
    const double values = static_cast<double>(readouts * coils * frequencies.count()) / (2.0 * band_count);
    const double deviation = deviation_of_median / std::sqrt(values);
    const auto [least, most] = std::ranges::minmax(sums);
    constexpr double by_chance = 4;
    if (!(least > 0) || most > least * unevenness * (1 + by_chance * deviation)) {
        return {};
    }
    double sum = 0, count = 0;
    for (const double variance : sums) {  // those that differ from the least by chance
        if (variance <= least * (1 + by_chance * deviation)) {
            sum += variance;
            ++count;
        }
    }
    return {sum / count, deviation / std::sqrt(count), "high frequencies of the readouts"};
}

/// Median of the sum of n exponentials by its mean [Choi 1994].
double median_of_mean(double n) { return 1 - 1 / (3 * n) + 8 / (405 * n * n) + 184 / (25515 * n * n * n); }

Estimate of_repeats(const AllCoils& kspace, const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    constexpr std::size_t enough = 4096;
    std::vector<Index> at_centre;
    for (Index m = 0; m < trajectory.sample_count() && at_centre.size() < enough; ++m) {
        double largest = 0;
        for (int axis = 0; axis < 3; ++axis) {
            largest = matrix_size[axis] > 1 ? std::max<double>(largest, std::abs(trajectory.k[axis][m])) : largest;
        }
        if (largest <= same_place / 2) {
            at_centre.push_back(m);
        }
    }
    if (at_centre.size() <= fewest_repeats) {
        return {};
    }
    const std::vector<cfloat> repeats = kspace.at(at_centre);  // [sample coil]
    const Index coil_count = kspace.coil_count();
    std::vector<double> squares;
    for (std::size_t i = 1; i < at_centre.size(); ++i) {
        double square = 0;
        for (std::size_t at = i; at < repeats.size(); at += at_centre.size()) {
            square += std::norm(cdouble(repeats[at]) - cdouble(repeats[at - 1])) / 2;
        }
        squares.push_back(square / static_cast<double>(coil_count));
    }
    const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
    std::nth_element(squares.begin(), middle, squares.end());
    const auto coils = static_cast<double>(coil_count);
    const double values = coils * static_cast<double>(squares.size()) / 1.5;  // differences share a repeat
    return {*middle / median_of_mean(coils), deviation_of_median / std::sqrt(values),
            "repeats of the centre of k-space"};
}

}  // namespace

NoiseLevel certain_noise(const AllCoils& kspace, const Trajectory& trajectory, const KspaceExcerpt& excerpt,
                         const PerAxis<Index>& matrix_size) {
    const Estimate found =
        together(of_high_frequencies(excerpt, matrix_size), of_repeats(kspace, trajectory, matrix_size));
    return found.variance == unknown ? NoiseLevel{} : NoiseLevel{std::sqrt(found.variance), found.source};
}

}  // namespace recon
