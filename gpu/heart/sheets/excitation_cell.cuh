// Mirrors core/heart/excitation_cell.hpp.
#pragma once

#include "core/heart/excitation_rates.hpp"

namespace recon {

/// How a / b is divided. `quick` is off by an unit or two of the last place: half the instructions of a division that
/// rounds right, of which it leaves out the care for numbers that a sheet never holds.
enum class Division { exact, quick };

template <Division division>
__device__ inline double quotient(double a, double b) {
    if constexpr (division == Division::exact) {
        return a / b;
    } else {
        double y;
        asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(b));  // 20 bits
        y = fma(fma(-b, y, 1.0), y, y);                        // 40
        y = fma(fma(-b, y, 1.0), y, y);                        // all
        return a * y;
    }
}
template <Division division>
__device__ inline float quotient(float a, float b) {
    if constexpr (division == Division::exact) {
        return a / b;
    } else {
        return __fdividef(a, b);
    }
}

template <class T>
__device__ inline T diffuse(const ExcitationRates<T>& m, T centre, T west, T east, T north, T south) {
    return fma(m.alpha, fma(T(-4), centre, (west + east) + (north + south)), centre);
}

template <Division division, class T>
__device__ inline T react(const ExcitationRates<T>& m, T e, T& r) {
    const T e_new = fma(m.minus_dt * e, fma(fma(m.k, e, m.minus_k_a), e - T(1), r), e);
    const T minus_dt_rate = m.minus_dt_epsilon + quotient<division>(m.minus_dt_m1 * r, e_new + m.m2);
    r = fma(minus_dt_rate, fma(e_new, fma(m.k, e_new, m.minus_k_b1), r), r);
    return e_new;
}

/// The neighbour of an outermost cell that is not there is the one on its other side.
__device__ inline int before(int i) { return i > 0 ? i - 1 : 1; }
__device__ inline int after(int i, int size) { return i < size - 1 ? i + 1 : size - 2; }

}  // namespace recon
