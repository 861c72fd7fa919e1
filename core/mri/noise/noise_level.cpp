#include "core/mri/noise/noise_level.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "core/mri/noise/high_frequencies.hpp"
#include "core/parallel/spread_samples.hpp"

namespace recon {
namespace {

constexpr Index least_count = 32;
constexpr Index most_readouts = 256;  ///< of a coil: more tell nothing new
constexpr Index shortest_readout = 16;
/// Outer samples are sought among so many: more tell nothing new.
constexpr Index most_samples = Index{1} << 18;

using SquaresOfCoil = std::function<std::vector<double>(std::span<const cfloat>)>;

/// Of each coil; none if any has too few numbers.
std::vector<double> variances_of(const AllCoils& kspace, const SquaresOfCoil& squares_of) {
    std::vector<double> variances = kspace.of_each([&](std::span<const cfloat> coil) {
        std::vector<double> squares = squares_of(coil);
        return robust_variance(squares);
    });
    return std::count(variances.begin(), variances.end(), 0.0) > 0 ? std::vector<double>() : variances;
}

/// 0 of none
double mean_of(const std::vector<double>& variances) {
    return variances.empty()
               ? 0
               : std::accumulate(variances.begin(), variances.end(), 0.0) / static_cast<double>(variances.size());
}

std::vector<double> variances_at_high_frequencies(const AllCoils& kspace, Index sample_count,
                                                  Index samples_per_readout) {
    if (samples_per_readout < shortest_readout || sample_count % samples_per_readout != 0) {
        return {};
    }
    const HighFrequencies frequencies(samples_per_readout);
    const Index readout_count = sample_count / samples_per_readout;
    const Index used = std::min(readout_count, most_readouts);
    return variances_of(kspace, [&](std::span<const cfloat> coil) {
        std::vector<double> squares(static_cast<std::size_t>(used * frequencies.count()));
#pragma omp parallel for schedule(static)
        for (Index i = 0; i < used; ++i) {
            const Index readout = i * readout_count / used;
            frequencies.find(coil.subspan(readout * samples_per_readout, samples_per_readout),
                             std::span(squares).subspan(i * frequencies.count(), frequencies.count()));
        }
        return squares;
    });
}

/// Where the `count` largest values are, of equal ones the first.
std::vector<Index> largest_of(const std::vector<double>& values, Index count) {
    std::vector<double> sorted = values;
    std::nth_element(sorted.begin(), sorted.begin() + (count - 1), sorted.end(), std::greater<>());
    const double least = sorted[static_cast<std::size_t>(count - 1)];
    Index of_least = count - std::count_if(values.begin(), values.end(), [&](double value) { return value > least; });
    std::vector<Index> places;
    for (Index m = 0; m < std::ssize(values); ++m) {
        const double value = values[static_cast<std::size_t>(m)];
        if (value > least || (value == least && of_least-- > 0)) {
            places.push_back(m);
        }
    }
    return places;
}

std::vector<double> variances_of_outer_samples(const AllCoils& kspace, const Trajectory& trajectory,
                                               PerAxis<Index> matrix_size) {
    const std::vector<Index> samples = spread_samples(trajectory.sample_count(), most_samples);
    const auto sample_count = static_cast<Index>(samples.size());
    std::vector<double> radius(sample_count, 0.0);  // squared, 1 at the edge of k-space
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] == 1) {
            continue;
        }
#pragma omp parallel for schedule(static)
        for (Index m = 0; m < sample_count; ++m) {
            const double part = 2 * trajectory.k[axis][samples[m]] / static_cast<double>(matrix_size[axis]);
            radius[m] += part * part;
        }
    }
    const Index outer_count = std::max<Index>(std::min<Index>(sample_count, least_count), sample_count / 10);
    const std::vector<Index> outer = largest_of(radius, outer_count);
    return variances_of(kspace, [&](std::span<const cfloat> coil) {
        std::vector<double> squares;
        for (const Index m : outer) {
            squares.push_back(std::norm(cdouble(coil[samples[m]])));
        }
        return squares;
    });
}

}  // namespace

NoiseLevel noise_level_of_acquisition(std::span<const cfloat> noise) {
    double sum = 0;
    for (const cfloat& value : noise) {
        sum += std::norm(cdouble(value));
    }
    return {std::sqrt(sum / static_cast<double>(noise.size())), "noise acquisitions"};
}

NoiseLevel noise_level_of_edges(const AllCoils& kspace, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                                Index samples_per_readout) {
    const double of_frequencies =
        mean_of(variances_at_high_frequencies(kspace, trajectory.sample_count(), samples_per_readout));
    NoiseLevel of_samples = noise_level_of_outer_samples(kspace, trajectory, matrix_size);
    const double sigma_of_frequencies = std::sqrt(of_frequencies);
    if (sigma_of_frequencies > 0 && (of_samples.sigma == 0 || sigma_of_frequencies < of_samples.sigma)) {
        return {sigma_of_frequencies, "high frequencies of the readouts"};
    }
    return of_samples;
}

std::vector<double> noise_variances_of_edges(const AllCoils& kspace, const Trajectory& trajectory,
                                             PerAxis<Index> matrix_size, Index samples_per_readout) {
    std::vector<double> of_frequencies =
        variances_at_high_frequencies(kspace, trajectory.sample_count(), samples_per_readout);
    std::vector<double> of_samples = variances_of_outer_samples(kspace, trajectory, matrix_size);
    const bool by_frequencies =
        !of_frequencies.empty() && (of_samples.empty() || mean_of(of_frequencies) < mean_of(of_samples));
    return by_frequencies ? of_frequencies : of_samples;
}

NoiseLevel noise_level_of_outer_samples(const AllCoils& kspace, const Trajectory& trajectory,
                                        PerAxis<Index> matrix_size) {
    return {std::sqrt(mean_of(variances_of_outer_samples(kspace, trajectory, matrix_size))),
            "outer samples of k-space"};
}

}  // namespace recon
