#include "core/backend/cpu/fft/batched_fft.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// exp(-i 2 pi numerator / denominator), correctly rounded: the phase is reduced exactly, in integers.
template <class T>
std::complex<T> root_of_unity(Index numerator, Index denominator) {
    constexpr long double two_pi = 6.283185307179586476925286766559005768L;
    const long double turns = static_cast<long double>(numerator % denominator) / static_cast<long double>(denominator);
    // an eighth of a turn at most goes through the series, so that values on the axes are exact
    const int octant = static_cast<int>(turns * 8 + 0.5L);
    const long double rest = two_pi * (turns - octant / 8.0L);
    constexpr long double h = 0.707106781186547524400844362104849039L;
    constexpr long double cosines[9] = {1, h, 0, -h, -1, -h, 0, h, 1};
    const long double c = cosines[octant];
    const long double s = cosines[(octant + 6) % 8];
    return {static_cast<T>(c * std::cos(rest) - s * std::sin(rest)),
            static_cast<T>(-(s * std::cos(rest) + c * std::sin(rest)))};
}

}  // namespace

std::vector<int> fft_radices(Index length) {
    Index rest = length;
    int twos = 0, threes = 0, fives = 0;
    for (; rest > 0 && rest % 2 == 0; rest /= 2) {
        ++twos;
    }
    for (; rest > 0 && rest % 3 == 0; rest /= 3) {
        ++threes;
    }
    for (; rest > 0 && rest % 5 == 0; rest /= 5) {
        ++fives;
    }
    if (rest != 1) {
        throw ShapeError(fmt::format("FFT of length {}: expected a product of powers of 2, 3 and 5", length));
    }
    // An even radix comes first, because its first pass can skip a half of zeros; the rest of the twos in eights.
    std::vector<int> radices;
    if (twos % 3 == 1 && twos >= 4) {
        radices = {4, 4};
    } else if (twos % 3 == 1) {
        radices = {2};
    } else if (twos % 3 == 2) {
        radices = {4};
    }
    const int used = twos % 3 == 1 && twos >= 4 ? 4 : twos % 3;
    radices.insert(radices.end(), (twos - used) / 3, 8);
    radices.insert(radices.end(), fives, 5);
    radices.insert(radices.end(), threes, 3);
    return radices;
}

double fft_cost(Index length) {
    double cost = 0;
    for (const int radix : fft_radices(length)) {
        cost += radix == 2 ? 1.0 : radix == 3 ? 1.4 : radix == 4 ? 1.2 : radix == 5 ? 2.0 : 1.8;
    }
    return cost * static_cast<double>(length);
}

template <class T>
BatchedFft<T>::BatchedFft(Index length) : length_(length), frequency_at_(length), position_of_(length) {
    Index block_count = 1;
    for (const int radix : fft_radices(length)) {
        const Index stride = length / block_count / radix;
        passes_.push_back({radix, stride, block_count, static_cast<Index>(twiddles_.size())});
        for (Index k = 0; k < stride; ++k) {
            for (int j = 1; j < radix; ++j) {
                twiddles_.push_back(root_of_unity<T>(j * k, radix * stride));
            }
        }
        block_count *= radix;
    }
    // The digit of a pass is the most significant one left in the position, the least significant one in the frequency.
    for (Index position = 0; position < length; ++position) {
        Index frequency = 0, weight = 1, rest = position;
        for (const Pass& pass : passes_) {
            frequency += rest / pass.stride * weight;
            rest %= pass.stride;
            weight *= pass.radix;
        }
        frequency_at_[position] = frequency;
        position_of_[frequency] = position;
    }
}

template class BatchedFft<float>;
template class BatchedFft<double>;

}  // namespace recon
