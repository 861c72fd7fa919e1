#pragma once

#include <complex>
#include <string>
#include <string_view>
#include <type_traits>

#include "data/files/hdf5_file.hpp"
#include "data/files/hdf5_handle.hpp"

namespace recon {

/// Kind, extents and element size of a dataset or attribute from its type and dataspace.
H5Info h5_describe(hid_t type, hid_t space);

/// False if a type from a damaged file contradicts itself: members beyond the end of a compound, bits beyond those of a
/// number. HDF5 1.10 converts such types without looking, and writes outside of its buffers.
bool h5_type_is_sound(hid_t type);

/// Compound {first, second} of native float or double.
H5Handle h5_complex_type(hid_t component, const std::string& first, const std::string& second);
/// The same with the member names of a compound in a file, so that HDF5 can convert between the two.
H5Handle h5_complex_type_like(hid_t compound, hid_t component);
H5Handle h5_text_type();  ///< variable length, UTF-8

/// Type of one T in memory when it is written.
template <class T>
H5Handle h5_memory_type() {
    const auto copy = [](hid_t type) { return H5Handle(H5Tcopy(type), H5Tclose); };
    if constexpr (std::is_same_v<T, float>) {
        return copy(H5T_NATIVE_FLOAT);
    } else if constexpr (std::is_same_v<T, double>) {
        return copy(H5T_NATIVE_DOUBLE);
    } else if constexpr (std::is_same_v<T, Index>) {
        return copy(H5T_NATIVE_INT64);
    } else if constexpr (std::is_same_v<T, cfloat>) {
        return h5_complex_type(H5T_NATIVE_FLOAT, "r", "i");
    } else if constexpr (std::is_same_v<T, cdouble>) {
        return h5_complex_type(H5T_NATIVE_DOUBLE, "r", "i");
    } else {
        static_assert(std::is_same_v<T, std::string>);
        return h5_text_type();
    }
}

template <class T>
constexpr H5Kind h5_kind_of() {
    if constexpr (std::is_same_v<T, std::string>) {
        return H5Kind::text;
    } else if constexpr (std::is_same_v<T, cfloat> || std::is_same_v<T, cdouble>) {
        return H5Kind::complex;
    } else if constexpr (std::is_same_v<T, Index>) {
        return H5Kind::integer;
    } else {
        return H5Kind::real;
    }
}

std::string_view h5_kind_name(H5Kind kind);

}  // namespace recon
