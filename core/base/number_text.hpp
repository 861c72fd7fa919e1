#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

#include "core/base/types.hpp"

namespace recon {

/// "1 coil", "4 coils".
inline std::string counted(Index count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// To so many decimals; what becomes zero has no sign, so that no text says -0.
inline double rounded(double value, int decimals) {
    const double unit = std::pow(10.0, -decimals);
    return std::round(value / unit) * unit + 0.0;
}

}  // namespace recon
