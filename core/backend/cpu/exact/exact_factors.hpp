#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/backend/cpu/exact/factored_grid.hpp"
#include "core/backend/cpu/simd/aligned_vector.hpp"
#include "core/backend/cpu/simd/simd_product.hpp"
#include "core/fourier/phase_factors.hpp"
#include "core/fourier/reduced_turns.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon {

inline Index packs_of(Index count, int lane_count) { return (count + lane_count - 1) / lane_count; }

/// exp(i 2 pi k r) for one k and the positions r = first + i step: pack p is [real lanes, imaginary lanes] at
/// `factors + p * pack_stride`.
///
/// Two packs of exponentials make all the others: exp(i 2 pi k (first + l step)) exp(i 2 pi k p lanes step), multiplied
/// in double so that a factor carries the rounding of its storage alone.
template <class T>
void write_factors(double k, double first, double step, Index pack_count, Index pack_stride, T* factors) {
    constexpr int lanes = simd::lane_count<T>;
    alignas(64) std::array<double, lanes> base_cosine;
    alignas(64) std::array<double, lanes> base_sine;
    alignas(64) std::array<double, lanes> shift_cosine;
    alignas(64) std::array<double, lanes> shift_sine;
#pragma omp simd
    for (int lane = 0; lane < lanes; ++lane) {
        const auto [cosine, sine] = wide_phase_factor<T>(reduced_turns(k, first + lane * step));
        base_cosine[lane] = cosine;
        base_sine[lane] = sine;
    }
    for (Index group = 0; group < pack_count; group += lanes) {
#pragma omp simd
        for (int lane = 0; lane < lanes; ++lane) {
            const double shift = static_cast<double>((group + lane) * lanes) * step;
            const auto [cosine, sine] = wide_phase_factor<T>(reduced_turns(k, shift));
            shift_cosine[lane] = cosine;
            shift_sine[lane] = sine;
        }
        for (Index pack = group; pack < std::min<Index>(group + lanes, pack_count); ++pack) {
            const double cosine = shift_cosine[pack - group];
            const double sine = shift_sine[pack - group];
            T* real = factors + pack * pack_stride;
#pragma omp simd
            for (int lane = 0; lane < lanes; ++lane) {
                real[lane] = static_cast<T>(base_cosine[lane] * cosine - base_sine[lane] * sine);
                real[lanes + lane] = static_cast<T>(base_cosine[lane] * sine + base_sine[lane] * cosine);
            }
        }
    }
}

/// The columns of the product for one k: cosines, then sines, of the distances from the centre.
/// @param packs    room for packs_of(cosine_count) packs of two, used on the way
/// @param columns  [column]
template <class T>
void write_columns(double k, const FactoredGrid& grid, T* packs, T* columns) {
    constexpr int lanes = simd::lane_count<T>;
    const Index count = grid.cosine_count();
    const Index unpaired = count - grid.sine_count();
    write_factors<T>(k, grid.distance(0), grid.column.step, packs_of(count, lanes), 2 * lanes, packs);
    for (Index i = 0; i < count; i += lanes) {
        std::copy_n(packs + 2 * i, std::min<Index>(lanes, count - i), columns + i);
    }
    T* sines = columns + count - unpaired;  // that of a distance of 0 is overwritten below, as there is none
    const T last_cosine = columns[count - 1];
    for (Index i = 0; i < count; i += lanes) {
        std::copy_n(packs + 2 * i + lanes, std::min<Index>(lanes, count - i), sines + i);
    }
    columns[count - 1] = last_cosine;
}

/// exp(i 2 pi (k_line position + k_column centre)) for `count` samples: the factor of one line, and the shift of all
/// columns to their centre.
template <class T>
void write_line_factors(Index count, const double* k_line, double position, const double* k_column, double centre,
                        T* real, T* imaginary) {
#pragma omp simd
    for (Index m = 0; m < count; ++m) {
        const auto [cosine, sine] =
            phase_factor<T>(reduced_turns(k_line[m], position) + reduced_turns(k_column[m], centre));
        real[m] = cosine;
        imaginary[m] = sine;
    }
}

}  // namespace recon
