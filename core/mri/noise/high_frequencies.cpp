#include "core/mri/noise/high_frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/FFT>

#include "core/fourier/gridding_kernel.hpp"

namespace recon {

HighFrequencies::HighFrequencies(Index length) : transform_length_(next_fft_size(length)), window_(length) {
    for (Index i = 0; i < length; ++i) {
        const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(length);
        window_[i] = 0.5 - 0.5 * std::cos(angle + pi / static_cast<double>(length));  // symmetric: no zero at an end
        power_ += window_[i] * window_[i];
    }
}

std::span<const cdouble> HighFrequencies::spectrum_of(std::span<const cfloat> readout) const {
    thread_local Eigen::FFT<double> fft;  // has tables of its own
    thread_local std::vector<cdouble> windowed, spectrum;
    windowed.assign(static_cast<std::size_t>(transform_length_), 0);
    std::transform(readout.begin(), readout.end(), window_.begin(), windowed.begin(),
                   [](cfloat value, double factor) { return factor * cdouble(value); });
    fft.fwd(spectrum, windowed);
    return std::span(spectrum).subspan(first_bin(), count());
}

void HighFrequencies::find(std::span<const cfloat> readout, std::span<cfloat> values) const {
    const double scale = 1 / std::sqrt(power_);
    std::ranges::transform(spectrum_of(readout), values.begin(),
                           [scale](cdouble value) { return cfloat(scale * value); });
}

void HighFrequencies::find(std::span<const cfloat> readout, std::span<double> squares) const {
    std::ranges::transform(spectrum_of(readout), squares.begin(),
                           [this](cdouble value) { return std::norm(value) / power_; });
}

bool high_frequencies_are_free(const KspaceExcerpt& excerpt, const PerAxis<Index>& matrix_size, Index readout_count) {
    constexpr Index shortest_readout = 32;
    constexpr double longest_step = 0.6;  // signal up to 0.3 cycles a sample
    const Index length = excerpt.samples_per_readout;
    if (length < shortest_readout) {
        return false;
    }
    double longest = 0;
    for (Index m = 1; m < readout_count * length; ++m) {
        double square = 0;
        for (int axis = 0; axis < 3 && m % length != 0; ++axis) {
            const double step = double(excerpt.trajectory.k[axis][m]) - double(excerpt.trajectory.k[axis][m - 1]);
            square += matrix_size[axis] > 1 ? step * step : 0;
        }
        longest = std::max(longest, square);
    }
    return std::sqrt(longest) <= longest_step;
}

double robust_variance(std::vector<double>& squares) {
    constexpr std::size_t least_count = 32;
    squares.erase(std::remove(squares.begin(), squares.end(), 0.0), squares.end());
    if (squares.size() < least_count) {
        return 0;
    }
    const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
    std::nth_element(squares.begin(), middle, squares.end());
    return *middle / std::log(2.0);  // |n|^2 is exponentially distributed
}

}  // namespace recon
