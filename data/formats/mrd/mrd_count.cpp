#include "data/formats/mrd/mrd_count.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/base/error.hpp"

namespace recon {

std::uint16_t mrd_count(Index value, const std::string& path, const char* what) {
    constexpr Index most = std::numeric_limits<std::uint16_t>::max();
    if (value < 0 || value > most) {
        throw InputError(fmt::format("{}: {} is {}, more than MRD can count ({}); use the project's own format", path,
                                     what, value, most));
    }
    return static_cast<std::uint16_t>(value);
}

}  // namespace recon
