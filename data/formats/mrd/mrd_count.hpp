#pragma once

#include <cstdint>
#include <string>

#include "core/base/types.hpp"

namespace recon {

/// A count as heads of MRD have it, in 16 bits.
/// @param path, what  of the file and the count, for the message  @throws InputError if there are more
std::uint16_t mrd_count(Index value, const std::string& path, const char* what);

}  // namespace recon
