#pragma once

#include <cmath>
#include <cstdint>

namespace recon {

/// A phase in turns, modulo 1, as an integer modulo 2^32: sums and whole multiples of it are exact, whatever their
/// size. Error below 2^-33 turns.
inline std::uint32_t turn_code(double turns) {
    return static_cast<std::uint32_t>(std::llrint((turns - std::rint(turns)) * 4294967296.0));
}

}  // namespace recon
