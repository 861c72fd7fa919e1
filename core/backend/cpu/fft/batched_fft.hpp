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
        const int last = pass_count() - 1;
        if (last < 0) {
            store(0, load(0));
        } else if (last == 0) {
            frequency_pass<false>(passes_[0], nonzero, load, store);
        } else {
            frequency_pass<true>(passes_[0], nonzero, load, Into{buffer});
            for (int i = 1; i < last; ++i) {
                frequency_pass<true>(passes_[i], Part::all, From{buffer}, Into{buffer});
            }
            frequency_pass<false>(passes_[last], Part::all, From{buffer}, store);
        }
    }

    /// @param wanted store(i, value) is called for these alone
    template <class Load, class Store>
    void inverse(Complex* buffer, Part wanted, const Load& load, const Store& store) const {
        const auto load_swapped = [&](Index i) { return swapped(load(i)); };
        const auto store_swapped = [&](Index i, Complex value) { store(i, swapped(value)); };
        const int last = pass_count() - 1;
        if (last < 0) {
            store(0, load(0));
        } else if (last == 0) {
            time_pass<false>(passes_[0], wanted, load_swapped, store_swapped);
        } else {
            time_pass<false>(passes_[last], Part::all, load_swapped, Into{buffer});
            finish_inverse(buffer, last, wanted, store_swapped);
        }
    }

    /// Inverse transform of the forward transform times `factor`, one vector of real numbers for each position.
    template <class Load, class Store>
    void convolve(Complex* buffer, Part part, const Load& load, const Lanes<T>* factor, const Store& store) const {
        const auto store_swapped = [&](Index i, Complex value) { store(i, swapped(value)); };
        const int last = pass_count() - 1;
        if (last < 0) {
            const Complex value = load(0);
            store(0, Complex{value.re * factor[0], value.im * factor[0]});
        } else if (last == 0) {
            centre_pass(passes_[0], part, load, factor, store_swapped);
        } else {
            frequency_pass<true>(passes_[0], part, load, Into{buffer});
            for (int i = 1; i < last; ++i) {
                frequency_pass<true>(passes_[i], Part::all, From{buffer}, Into{buffer});
            }
            centre_pass(passes_[last], Part::all, From{buffer}, factor, Into{buffer});
            finish_inverse(buffer, last, part, store_swapped);
        }
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

    int pass_count() const { return static_cast<int>(passes_.size()); }

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

    /// Last forward pass, product and first inverse pass in one: stores swapped numbers.
    template <class Load, class Store>
    void centre_pass(const Pass& pass, Part part, const Load& load, const Lanes<T>* factor, const Store& store) const {
        with_radix(pass.radix, [&](auto radix) {
            constexpr int R = radix();
            if constexpr (R % 2 == 0) {
                if (part == Part::lower_half) {
                    return centre_pass_of<R, Part::lower_half>(pass, load, factor, store);
                }
            }
            centre_pass_of<R, Part::all>(pass, load, factor, store);
        });
    }

    template <int R, Part part, class Load, class Store>
    void centre_pass_of(const Pass& pass, const Load& load, const Lanes<T>* factor, const Store& store) const {
        constexpr int count = part == Part::all ? R : R / 2;
        for (Index first = 0; first < pass.block_count * R; first += R) {
            Complex x[R];
#pragma GCC unroll 8
            for (int j = 0; j < count; ++j) {
                x[j] = load(first + j);
            }
            butterfly::transform<R, part, Part::all>(x);
#pragma GCC unroll 8
            for (int j = 0; j < R; ++j) {
                x[j] = Complex{x[j].im * factor[first + j], x[j].re * factor[first + j]};
            }
            butterfly::transform<R, Part::all, part>(x);
#pragma GCC unroll 8
            for (int j = 0; j < count; ++j) {
                store(first + j, x[j]);
            }
        }
    }

    template <class Store>
    void finish_inverse(Complex* buffer, int done, Part wanted, const Store& store) const {
        for (int i = done - 1; i > 0; --i) {
            time_pass<true>(passes_[i], Part::all, From{buffer}, Into{buffer});
        }
        time_pass<true>(passes_[0], wanted, From{buffer}, store);
    }

    Index length_;
    std::vector<Pass> passes_;
    std::vector<std::complex<T>> twiddles_;  ///< for each pass: exp(-i 2 pi j k / (radix stride)), j = 1.., k outer
    std::vector<Index> frequency_at_;
    std::vector<Index> position_of_;
};

}  // namespace recon
