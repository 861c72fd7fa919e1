#include "core/mri/certain_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/mri/high_frequencies.hpp"

namespace recon {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr Index shortest_band_readout = 32;
constexpr Index most_coils = 8;         ///< more tell nothing new
constexpr Index most_values = 1 << 14;  ///< of a coil
constexpr std::size_t band_count = 4;   ///< of the high frequencies
constexpr double unevenness = 1.5;      ///< of their variances: receivers' filters are not flat
constexpr double longest_step = 0.6;    ///< cycles per field of view: signal up to 0.3 cycles a sample
constexpr double same_place = 1e-4;     ///< cycles per field of view
constexpr std::size_t fewest_repeats = 16;

/// The longest step between neighbours of a readout, cycles per field of view.
double longest_step_of(const KspaceExcerpt& excerpt, const PerAxis<Index>& matrix_size, Index readout_count) {
    double longest = 0;
    const Index length = excerpt.samples_per_readout;
    for (Index m = 1; m < readout_count * length; ++m) {
        double square = 0;
        for (int axis = 0; axis < 3 && m % length != 0; ++axis) {
            const double step = double(excerpt.trajectory.k[axis][m]) - double(excerpt.trajectory.k[axis][m - 1]);
            square += matrix_size[axis] > 1 ? step * step : 0;
        }
        longest = std::max(longest, square);
    }
    return std::sqrt(longest);
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

double variance_of_high_frequencies(const KspaceExcerpt& excerpt, const PerAxis<Index>& matrix_size) {
    const Index length = excerpt.samples_per_readout;
    const Index readouts =
        std::min(excerpt.readout_count(), std::max<Index>(1, most_values / std::max<Index>(1, length)));
    if (length < shortest_band_readout || longest_step_of(excerpt, matrix_size, readouts) > longest_step) {
        return unknown;
    }
    const HighFrequencies frequencies(length);
    const Index coils = std::min(excerpt.coil_count, most_coils);
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
    const auto [least, most] = std::minmax_element(sums.begin(), sums.end());
    // The median of n exponentials is off by 1.44 / sqrt(n); neighbouring frequencies share a part of their noise.
    const double values = static_cast<double>(readouts * coils * frequencies.count()) / (2.0 * band_count);
    return *least > 0 && *most <= *least * unevenness * (1 + 4 * 1.44 / std::sqrt(values)) ? *least : unknown;
}

double variance_of_repeats(const AllCoils& kspace, const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
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
        return unknown;
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
    // The median of chi-square by its mean [Wilson 1931], 2 degrees of freedom a coil.
    return *middle / std::pow(1 - 1 / (9.0 * static_cast<double>(coil_count)), 3);
}

}  // namespace

NoiseLevel certain_noise(const AllCoils& kspace, const Trajectory& trajectory, const KspaceExcerpt& excerpt,
                         const PerAxis<Index>& matrix_size) {
    const double of_frequencies = variance_of_high_frequencies(excerpt, matrix_size);
    const double of_repeats = variance_of_repeats(kspace, trajectory, matrix_size);
    if (of_frequencies == unknown && of_repeats == unknown) {
        return {};
    }
    return of_frequencies < of_repeats ? NoiseLevel{std::sqrt(of_frequencies), "high frequencies of the readouts"}
                                       : NoiseLevel{std::sqrt(of_repeats), "repeats of the centre of k-space"};
}

}  // namespace recon
