#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "data/reading/stored/stored_array.hpp"

namespace recon {

/// True for the first bytes of an .npy file.
bool is_npy(std::span<const std::byte> bytes);

/// An array as NumPy stores it, versions 1 to 3: real, integer or complex, little-endian; Fortran's order becomes C's.
/// @param where  for messages. @throws InputError if it is damaged, or its numbers are of another kind
StoredArray parse_npy(std::span<const std::byte> bytes, const std::string& where);

/// A text as NumPy stores it, numpy.str_ or bytes, of one element. @throws InputError if it is anything else
std::string parse_npy_text(std::span<const std::byte> bytes, const std::string& where);

/// The bytes of an .npy file with one text, plain ASCII.
std::vector<std::byte> npy_text_bytes(const std::string& text);

/// The bytes of an .npy file with complex64, float64 or int64.
/// @param extents  in C order
template <class T>
std::vector<std::byte> npy_bytes(const std::vector<Index>& extents, std::span<const T> values);

}  // namespace recon
