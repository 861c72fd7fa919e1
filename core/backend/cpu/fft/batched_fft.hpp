#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/backend/cpu/fft/fft_butterflies.hpp"
#include "core/backend/cpu/simd/lanes.hpp"

namespace recon {

/// The radices of a transform, first pass of the forward transform first; empty for length 1.
/// @throws ShapeError if `length` is not of the form 2^a 3^b 5^c
std::vector<int> fft_radices(Index length);

/// Measured cost of one transform relative to others, for the choice of an embedding length.
double fft_cost(Index length);

/// FFT of `lane_count` pencils at once, one a SIMD lane, so that no number ever moves between lanes.
///
/// Forward is decimation in frequency in place on a small buffer, X[k] = sum_j x[j] exp(-i 2 pi j k / n), from natural
/// order to position order: X[frequency_at(p)] ends at position p. Inverse (unscaled, sign +) is decimation in time and
/// goes back from position order to natural order. A convolution therefore needs no reordering at all, and whoever
/// wants natural order picks rows by the table while copying out. [Cooley 1965, Gentleman 1966]
///
/// The first pass reads through `load(i)` and the last writes through `store(i, value)`, so that the copies in and out
/// cost no pass of their own.
template <class T>
class BatchedFft {
public:
    using Complex = ComplexLanes<T>;
    using Part = butterfly::Part;

    explicit BatchedFft(Index length);

    Index length() const { return length_; }
    Index frequency_at(Index position) const { return frequency_at_[position]; }
    Index position_of(Index frequency) const { return position_of_[frequency]; }

    /// What to pass as `part` if only the first `count` inputs of a forward (outputs of an inverse) transform matter.
    Part part_for(Index count) const {
        const bool half = !passes_.empty() && passes_[0].radix % 2 == 0 && 2 * count <= length_;
        return half ? Part::lower_half : Part::all;
    }

    /// @param buffer `length` elements of scratch, @param nonzero load(i) is called for these alone
    template <class Load, class Store>
    void forward(Complex* buffer, Part nonzero, const Load& load, const Store& store) const {
        if (pass_count() < 2) {
            for (Index i = 0; i < input_count(nonzero); ++i) {
                buffer[i] = load(i);
            }
            forward_in_place(buffer, nonzero);
            for (Index p = 0; p < length_; ++p) {
                store(p, buffer[p]);
            }
            return;
        }
        frequency_pass<true>(passes_.front(), nonzero, load, Into{buffer});
        middle_of_forward(buffer);
        frequency_pass_of_all<false>(passes_.back(), From{buffer}, store);
    }

    /// The same where numbers are in the buffer before and after: compiled once for all.
    void forward_in_place(Complex* buffer, Part nonzero) const;

    /// @param wanted store(i, value) is called for these alone
    template <class Load, class Store>
    void inverse(Complex* buffer, Part wanted, const Load& load, const Store& store) const {
        if (pass_count() < 2) {
            for (Index p = 0; p < length_; ++p) {
                buffer[p] = load(p);
            }
            inverse_in_place(buffer, wanted);
            for (Index i = 0; i < input_count(wanted); ++i) {
                store(i, buffer[i]);
            }
            return;
        }
        const auto load_swapped = [&](Index p) { return swapped(load(p)); };
        time_pass_of_all<false>(passes_.back(), load_swapped, Into{buffer});
        finish_inverse(buffer, wanted, store);
    }
    void inverse_in_place(Complex* buffer, Part wanted) const;

    /// Inverse transform of the forward transform times `factor`, one vector of real numbers for each position.
    template <class Load, class Store>
    void convolve(Complex* buffer, Part part, const Load& load, const Lanes<T>* factor, const Store& store) const {
        if (pass_count() < 2) {
            for (Index i = 0; i < input_count(part); ++i) {
                buffer[i] = load(i);
            }
            convolve_in_place(buffer, part, factor);
            for (Index i = 0; i < input_count(part); ++i) {
                store(i, buffer[i]);
            }
            return;
        }
        frequency_pass<true>(passes_.front(), part, load, Into{buffer});
        middle_of_convolution(buffer, factor);
        finish_inverse(buffer, part, store);
    }

private:
    /// `block_count` transforms of length radix * stride lie one after the other; the pass splits each into `radix`
    /// transforms of length `stride`.
    struct Pass {
        int radix;
        Index stride;
        Index block_count;
        Index first_twiddle;
    };
    struct From {
        const Complex* buffer;
        Complex operator()(Index i) const { return buffer[i]; }
    };
    struct Into {
        Complex* buffer;
        void operator()(Index i, Complex value) const { buffer[i] = value; }
    };
    struct SwappedFrom {
        const Complex* buffer;
        Complex operator()(Index i) const { return swapped(buffer[i]); }
    };
    struct SwappedInto {
        Complex* buffer;
        void operator()(Index i, Complex value) const { buffer[i] = swapped(value); }
    };

    int pass_count() const { return static_cast<int>(passes_.size()); }
    Index input_count(Part part) const { return part == Part::all ? length_ : length_ / 2; }

    // Passes that need no function of the caller's: those between the first and the last, and in batched_fft.cpp, so
    // that they are compiled once.
    void middle_of_forward(Complex* buffer) const;
    void middle_of_inverse(Complex* buffer) const;
    void middle_of_convolution(Complex* buffer, const Lanes<T>* factor) const;
    void convolve_in_place(Complex* buffer, Part part, const Lanes<T>* factor) const;  // of one pass or none

    template <class Function>
    [[gnu::always_inline]] static void with_radix(int radix, const Function& function) {
        switch (radix) {
            case 2: return function(std::integral_constant<int, 2>{});
            case 3: return function(std::integral_constant<int, 3>{});
            case 4: return function(std::integral_constant<int, 4>{});
            case 5: return function(std::integral_constant<int, 5>{});
            default: return function(std::integral_constant<int, 8>{});
        }
    }

    template <bool twiddled, class Load, class Store>
    void frequency_pass(const Pass& pass, Part nonzero, const Load& load, const Store& store) const {
        with_radix(pass.radix, [&](auto radix) {
            constexpr int R = radix();
            if constexpr (R % 2 == 0) {
                if (nonzero == Part::lower_half) {
                    return frequency_pass_of<R, Part::lower_half, twiddled>(pass, load, store);
                }
            }
            frequency_pass_of<R, Part::all, twiddled>(pass, load, store);
        });
    }

    template <bool twiddled, class Load, class Store>
    void frequency_pass_of_all(const Pass& pass, const Load& load, const Store& store) const {
        with_radix(pass.radix, [&](auto radix) { frequency_pass_of<radix(), Part::all, twiddled>(pass, load, store); });
    }

    template <int R, Part nonzero, bool twiddled, class Load, class Store>
    void frequency_pass_of(const Pass& pass, const Load& load, const Store& store) const {
        constexpr int input_count = nonzero == Part::all ? R : R / 2;
        const Index stride = twiddled ? pass.stride : 1;
        for (Index block = 0; block < pass.block_count; ++block) {
            const std::complex<T>* twiddle = twiddles_.data() + pass.first_twiddle;
            for (Index k = 0; k < stride; ++k, twiddle += R - 1) {
                const Index first = block * R * stride + k;
                Complex x[R];
#pragma GCC unroll 8
                for (int j = 0; j < input_count; ++j) {
                    x[j] = load(first + j * stride);
                }
                butterfly::transform<R, nonzero, Part::all>(x);
                store(first, x[0]);
#pragma GCC unroll 8
                for (int j = 1; j < R; ++j) {
                    store(first + j * stride, twiddled ? x[j] * twiddle[j - 1] : x[j]);
                }
            }
        }
    }

    template <bool twiddled, class Load, class Store>
    void time_pass(const Pass& pass, Part wanted, const Load& load, const Store& store) const {
        with_radix(pass.radix, [&](auto radix) {
            constexpr int R = radix();
            if constexpr (R % 2 == 0) {
                if (wanted == Part::lower_half) {
                    return time_pass_of<R, Part::lower_half, twiddled>(pass, load, store);
                }
            }
            time_pass_of<R, Part::all, twiddled>(pass, load, store);
        });
    }

    template <bool twiddled, class Load, class Store>
    void time_pass_of_all(const Pass& pass, const Load& load, const Store& store) const {
        with_radix(pass.radix, [&](auto radix) { time_pass_of<radix(), Part::all, twiddled>(pass, load, store); });
    }

    template <int R, Part wanted, bool twiddled, class Load, class Store>
    void time_pass_of(const Pass& pass, const Load& load, const Store& store) const {
        constexpr int output_count = wanted == Part::all ? R : R / 2;
        const Index stride = twiddled ? pass.stride : 1;
        for (Index block = 0; block < pass.block_count; ++block) {
            const std::complex<T>* twiddle = twiddles_.data() + pass.first_twiddle;
            for (Index k = 0; k < stride; ++k, twiddle += R - 1) {
                const Index first = block * R * stride + k;
                Complex x[R];
                x[0] = load(first);
#pragma GCC unroll 8
                for (int j = 1; j < R; ++j) {
                    const Complex value = load(first + j * stride);
                    x[j] = twiddled ? value * twiddle[j - 1] : value;
                }
                butterfly::transform<R, Part::all, wanted>(x);
#pragma GCC unroll 8
                for (int j = 0; j < output_count; ++j) {
                    store(first + j * stride, x[j]);
                }
            }
        }
    }

    void centre_pass(const Pass& pass, Part part, Complex* buffer, const Lanes<T>* factor) const;
    template <int R, Part part>
    void centre_pass_of(const Pass& pass, Complex* buffer, const Lanes<T>* factor) const;

    template <class Store>
    void finish_inverse(Complex* buffer, Part wanted, const Store& store) const {
        middle_of_inverse(buffer);
        time_pass<true>(passes_.front(), wanted, From{buffer},
                        [&](Index i, Complex value) { store(i, swapped(value)); });
    }

    Index length_;
    std::vector<Pass> passes_;
    std::vector<std::complex<T>> twiddles_;  ///< for each pass: exp(-i 2 pi j k / (radix stride)), j = 1.., k outer
    std::vector<Index> frequency_at_;
    std::vector<Index> position_of_;
};

}  // namespace recon
