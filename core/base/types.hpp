#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recon {

/// Counts, extents and offsets: signed and 64 bits wide everywhere.
using Index = std::int64_t;

using cfloat = std::complex<float>;
using cdouble = std::complex<double>;

/// One value per image axis, in the order x, y, z.
template <class T>
using PerAxis = std::array<T, 3>;

/// Storage precision of an Array. Reductions and solver scalars are double in both cases.
enum class Precision { single, double_ };

enum class Conjugate { no, yes };
enum class Accumulate { no, yes };

constexpr std::size_t complex_bytes(Precision precision) {
    return precision == Precision::single ? sizeof(cfloat) : sizeof(cdouble);
}

constexpr std::string_view name_of(Precision precision) { return precision == Precision::single ? "single" : "double"; }

template <class T>
inline constexpr Precision precision_of = sizeof(T) == sizeof(float) ? Precision::single : Precision::double_;

/// Calls `function` with a value-initialised float or double, so that a template is picked at run time.
template <class Function>
decltype(auto) with_precision(Precision precision, Function&& function) {
    return precision == Precision::single ? function(float{}) : function(double{});
}

constexpr double pi = 3.14159265358979323846;

}  // namespace recon
