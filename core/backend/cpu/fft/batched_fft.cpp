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

template <class T>
void BatchedFft<T>::forward_in_place(Complex* buffer, Part nonzero) const {
    if (pass_count() == 1) {
        frequency_pass<false>(passes_.front(), nonzero, From{buffer}, Into{buffer});
    } else if (pass_count() > 1) {
        frequency_pass<true>(passes_.front(), nonzero, From{buffer}, Into{buffer});
        middle_of_forward(buffer);
        frequency_pass<false>(passes_.back(), Part::all, From{buffer}, Into{buffer});
    }
}

template <class T>
void BatchedFft<T>::inverse_in_place(Complex* buffer, Part wanted) const {
    if (pass_count() == 1) {
        time_pass<false>(passes_.front(), wanted, SwappedFrom{buffer}, SwappedInto{buffer});
    } else if (pass_count() > 1) {
        time_pass_of_all<false>(passes_.back(), SwappedFrom{buffer}, Into{buffer});
        middle_of_inverse(buffer);
        time_pass<true>(passes_.front(), wanted, From{buffer}, SwappedInto{buffer});
    }
}

template <class T>
void BatchedFft<T>::middle_of_forward(Complex* buffer) const {
    for (int i = 1; i < pass_count() - 1; ++i) {
        frequency_pass<true>(passes_[i], Part::all, From{buffer}, Into{buffer});
    }
}

template <class T>
void BatchedFft<T>::middle_of_inverse(Complex* buffer) const {
    for (int i = pass_count() - 2; i > 0; --i) {
        time_pass_of_all<true>(passes_[i], From{buffer}, Into{buffer});
    }
}

template <class T>
void BatchedFft<T>::middle_of_convolution(Complex* buffer, const Lanes<T>* factor) const {
    middle_of_forward(buffer);
    centre_pass(passes_.back(), Part::all, buffer, factor);
}

template <class T>
void BatchedFft<T>::convolve_in_place(Complex* buffer, Part part, const Lanes<T>* factor) const {
    if (pass_count() == 0) {
        buffer[0] = Complex{buffer[0].re * factor[0], buffer[0].im * factor[0]};
        return;
    }
    centre_pass(passes_.front(), part, buffer, factor);
    for (Index i = 0; i < input_count(part); ++i) {
        buffer[i] = swapped(buffer[i]);
    }
}

/// Last forward pass, product and first inverse pass in one: leaves swapped numbers.
template <class T>
void BatchedFft<T>::centre_pass(const Pass& pass, Part part, Complex* buffer, const Lanes<T>* factor) const {
    with_radix(pass.radix, [&](auto radix) {
        constexpr int R = radix();
        if constexpr (R % 2 == 0) {
            if (part == Part::lower_half) {
                return centre_pass_of<R, Part::lower_half>(pass, buffer, factor);
            }
        }
        centre_pass_of<R, Part::all>(pass, buffer, factor);
    });
}

template <class T>
template <int R, typename BatchedFft<T>::Part part>
void BatchedFft<T>::centre_pass_of(const Pass& pass, Complex* buffer, const Lanes<T>* factor) const {
    constexpr int count = part == Part::all ? R : R / 2;
    for (Index first = 0; first < pass.block_count * R; first += R) {
        Complex x[R];
#pragma GCC unroll 8
        for (int j = 0; j < count; ++j) {
            x[j] = buffer[first + j];
        }
        butterfly::transform<R, part, Part::all>(x);
#pragma GCC unroll 8
        for (int j = 0; j < R; ++j) {
            x[j] = Complex{x[j].im * factor[first + j], x[j].re * factor[first + j]};
        }
        butterfly::transform<R, Part::all, part>(x);
#pragma GCC unroll 8
        for (int j = 0; j < count; ++j) {
            buffer[first + j] = x[j];
        }
    }
}

template class BatchedFft<float>;
template class BatchedFft<double>;

}  // namespace recon
