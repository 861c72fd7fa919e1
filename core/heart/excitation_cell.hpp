#pragma once

#include <cmath>

#include "core/heart/excitation_rates.hpp"

namespace recon {

/// x y + z in one rounding where the processor has that; nowhere by a function of the library, which is slow.
template <class T>
inline T multiply_add(T x, T y, T z) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return std::fma(x, y, z);
#else
    return x * y + z;
#endif
}

/// E + alpha (west + east + north + south - 4 E); sums in pairs, so that a mirrored sheet stays mirrored to the bit.
/// Mirrored for the GPU in gpu/heart/sheets/excitation_cell.cuh, operation by operation, as is `react`.
template <class T>
inline T diffuse(const ExcitationRates<T>& m, T centre, T west, T east, T north, T south) {
    return multiply_add(m.alpha, multiply_add(T(-4), centre, (west + east) + (north + south)), centre);
}

/// The reactions of one cell, given e after diffusion: returns the new E, changes R.
/// @param minus_k_a  -k a of the cell
template <class T>
inline T react(const ExcitationRates<T>& m, T minus_k_a, T e, T& r) {
    // E = e - dt e (k (e - a) (e - 1) + R)
    const T e_new = multiply_add(m.minus_dt * e, multiply_add(multiply_add(m.k, e, minus_k_a), e - T(1), r), e);
    // R = R - dt (epsilon + M1 R / (E + M2)) (R + E (k E - k (b + 1)))
    const T minus_dt_rate = m.minus_dt_epsilon + m.minus_dt_m1 * r / (e_new + m.m2);
    r = multiply_add(minus_dt_rate, multiply_add(e_new, multiply_add(m.k, e_new, m.minus_k_b1), r), r);
    return e_new;
}

}  // namespace recon
