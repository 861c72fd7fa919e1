#include "core/mri/high_frequencies.hpp"

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

void HighFrequencies::find(std::span<const cfloat> readout, std::span<double> squares) const {
    thread_local Eigen::FFT<double> fft;  // has tables of its own
    thread_local std::vector<cdouble> windowed, spectrum;
    windowed.assign(static_cast<std::size_t>(transform_length_), 0);
    std::transform(readout.begin(), readout.end(), window_.begin(), windowed.begin(),
                   [](cfloat value, double factor) { return factor * cdouble(value); });
    fft.fwd(spectrum, windowed);
    for (Index n = 0; n < count(); ++n) {
        squares[n] = std::norm(spectrum[first_bin() + n]) / power_;
    }
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
