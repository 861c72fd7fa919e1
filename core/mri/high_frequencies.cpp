#include "core/mri/high_frequencies.hpp"

#include <algorithm>
#include <cmath>

namespace recon {

HighFrequencies::HighFrequencies(Index length) : length_(length), window_(length), turns_(length) {
    for (Index i = 0; i < length; ++i) {
        const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(length);
        window_[i] = 0.5 - 0.5 * std::cos(angle + pi / static_cast<double>(length));  // symmetric: no zero at an end
        turns_[i] = std::polar(1.0, -angle);
        power_ += window_[i] * window_[i];
    }
}

void HighFrequencies::find(std::span<const cfloat> readout, std::span<double> squares) const {
    for (Index n = 0; n < count(); ++n) {
        const Index bin = first_bin() + n;
        cdouble sum = 0;
        Index turn = 0;  // bin * i modulo the length
        for (Index i = 0; i < length_; ++i) {
            sum += window_[i] * cdouble(readout[i]) * turns_[turn];
            turn += bin;
            turn -= turn >= length_ ? length_ : 0;
        }
        squares[n] = std::norm(sum) / power_;
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
