#pragma once

#include <cmath>
#include <type_traits>

namespace recon {

/// a b less its nearest integer, rounded once: the product itself is never rounded. The same bits with fused
/// multiply-adds and, by the product's error in double the precision [Dekker 1971], without; nowhere by a function of
/// the library, which is slow.
template <class T>
inline T reduced_turns(T a, T b) {
    const T nearest = std::rint(a * b);
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return std::fma(a, b, -nearest);
#else
    if constexpr (std::is_same_v<T, float>) {
        return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) - static_cast<double>(nearest));
    } else {
        constexpr T half_of_digits = 134217729;  // 2^27 + 1
        const T a_high = half_of_digits * a - (half_of_digits * a - a), a_low = a - a_high;
        const T b_high = half_of_digits * b - (half_of_digits * b - b), b_low = b - b_high;
        const T product = a * b;
        const T error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
        return (product - nearest) + error;
    }
#endif
}

}  // namespace recon
