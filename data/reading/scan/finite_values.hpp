#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include "core/base/error.hpp"
#include "core/base/types.hpp"

namespace recon {

/// Whether one is NaN or infinite: all bits of its exponent are set. Several threads, in the lanes of the vector unit.
template <class T>
bool any_not_finite(std::span<const T> values) {
    using Real = decltype(std::abs(T{}));
    using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
    constexpr Bits exponent = std::bit_cast<Bits>(std::numeric_limits<Real>::infinity());
    const auto* const reals = reinterpret_cast<const Real*>(values.data());
    const auto count = static_cast<Index>(values.size_bytes() / sizeof(Real));
    Index found = 0;
#pragma omp parallel for simd reduction(+ : found) if (count > 100'000)
    for (Index i = 0; i < count; ++i) {
        found += (std::bit_cast<Bits>(reals[i]) & exponent) == exponent ? 1 : 0;
    }
    return found > 0;
}

/// @param place  says in words where element i is
/// @throws InputError if a value is not finite: how many are, and where the first one is
template <class T, class Place>
void require_finite(std::span<const T> values, const std::string& where, const std::string& what, Place&& place) {
    if (!any_not_finite(values)) {
        return;
    }
    const auto bad = [](const T& value) { return any_not_finite(std::span(&value, 1)); };
    const auto first = std::find_if(values.begin(), values.end(), bad);
    if (first != values.end()) {
        throw InputError(fmt::format("{}: {} of {} values of {} are not finite (NaN or infinity), the first at {}",
                                     where, std::count_if(first, values.end(), bad), values.size(), what,
                                     place(static_cast<Index>(first - values.begin()))));
    }
}

}  // namespace recon
