#include "core/mri/time_segments.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"

namespace recon {
namespace {

constexpr int bin_count = 512;
/// Turns of phase between the extreme frequencies over the readout, up to which the bins are fine enough.
constexpr double largest_time_bandwidth = 128;

using Matrix = Eigen::MatrixXcd;

cdouble phasor(double frequency_hz, double time_s) { return std::polar(1.0, -2 * pi * frequency_hz * time_s); }

/// sqrt(weight_k) exp(-i 2 pi f_k t_j)
Matrix weighted_exponentials(const FrequencyHistogram& histogram, const std::vector<double>& times_s) {
    Matrix matrix(histogram.weight.size(), times_s.size());
    for (Index j = 0; j < matrix.cols(); ++j) {
        for (Index k = 0; k < matrix.rows(); ++k) {
            matrix(k, j) = std::sqrt(histogram.weight[k]) * phasor(histogram.frequency_hz[k], times_s[j]);
        }
    }
    return matrix;
}

std::vector<double> evenly_spaced(double first, double last, Index count) {
    std::vector<double> values(count, (first + last) / 2);
    for (Index i = 0; i < count && count > 1; ++i) {
        values[i] = first + (last - first) * static_cast<double>(i) / static_cast<double>(count - 1);
    }
    return values;
}

}  // namespace

FrequencyHistogram FrequencyHistogram::of(std::span<const float> off_resonance_hz) {
    const auto [low, high] = std::minmax_element(off_resonance_hz.begin(), off_resonance_hz.end());
    const double first = *low;
    const double width = (static_cast<double>(*high) - first) / (bin_count - 1);
    std::vector<double> weight(bin_count, 0.0);
    for (const float frequency : off_resonance_hz) {
        const Index bin = width > 0 ? std::lround((frequency - first) / width) : 0;
        weight[bin] += 1.0 / static_cast<double>(off_resonance_hz.size());
    }
    FrequencyHistogram histogram;
    for (int bin = 0; bin < bin_count; ++bin) {
        if (weight[bin] > 0) {
            histogram.frequency_hz.push_back(first + bin * width);
            histogram.weight.push_back(weight[bin]);
        }
    }
    return histogram;
}

FrequencyHistogram FrequencyHistogram::differences() const {
    std::map<double, double> weight_of;
    const double span = frequency_hz.back() - frequency_hz.front();
    const double width = span > 0 ? span / (bin_count - 1) : 1;
    for (std::size_t i = 0; i < weight.size(); ++i) {
        for (std::size_t j = 0; j < weight.size(); ++j) {
            weight_of[std::round((frequency_hz[i] - frequency_hz[j]) / width)] += weight[i] * weight[j];
        }
    }
    FrequencyHistogram histogram;
    for (const auto& [bin, weight] : weight_of) {
        histogram.frequency_hz.push_back(bin * width);
        histogram.weight.push_back(weight);
    }
    return histogram;
}

TimeSegments TimeSegments::fit(const FrequencyHistogram& histogram, std::span<const float> sample_times_s,
                               double tolerance) {
    std::vector<double> times(sample_times_s.begin(), sample_times_s.end());
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    const double time_bandwidth =
        (histogram.frequency_hz.back() - histogram.frequency_hz.front()) * (times.back() - times.front());
    if (time_bandwidth > largest_time_bandwidth) {
        throw InputError(
            fmt::format("field map: {:.0f} to {:.0f} Hz over {:.1f} ms is {:.0f} turns of phase, more than "
                        "{:.0f}; check the unit of the map (Hz) and of the sample times (s)",
                        histogram.frequency_hz.front(), histogram.frequency_hz.back(),
                        1e3 * (times.back() - times.front()), time_bandwidth, largest_time_bandwidth));
    }
    const Matrix wanted = weighted_exponentials(histogram, times);
    const Index most_segments = std::min<Index>(histogram.weight.size(), times.size());
    // Fewer segments than turns of phase cannot do.
    Index count = std::min(static_cast<Index>(std::ceil(time_bandwidth)) + 1, most_segments);
    while (true) {
        TimeSegments segments;
        segments.centre_s = evenly_spaced(times.front(), times.back(), count);
        const Matrix basis = weighted_exponentials(histogram, segments.centre_s);
        const Matrix b = basis.completeOrthogonalDecomposition().solve(wanted);  // [segment time]
        segments.error = (wanted - basis * b).colwise().norm().maxCoeff();
        if (segments.error > tolerance && count < most_segments) {
            ++count;
            continue;
        }
        segments.interpolator.assign(count, std::vector<cdouble>(sample_times_s.size()));
        for (std::size_t m = 0; m < sample_times_s.size(); ++m) {
            const double time = sample_times_s[m];
            const Index column = std::lower_bound(times.begin(), times.end(), time) - times.begin();
            for (Index l = 0; l < count; ++l) {
                segments.interpolator[l][m] = b(l, column);
            }
        }
        return segments;
    }
}

}  // namespace recon
