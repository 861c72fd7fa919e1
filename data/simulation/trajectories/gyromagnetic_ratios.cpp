#include "data/simulation/trajectories/gyromagnetic_ratios.hpp"

#include <fmt/format.h>

#include <map>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Magnitudes of gamma / 2 pi, Hz/T: the proton's [Tiesinga 2021] times the frequency ratios of the reference compounds
/// [Harris 2001]; 129Xe as free gas, 5331 ppm below its reference.
const std::map<std::string, double>& gyromagnetic_ratios() {
    constexpr double proton = 42.577478518e6;
    static const std::map<std::string, double> ratios{{"1H", proton},
                                                      {"3He", 0.76179437 * proton},
                                                      {"13C", 0.25145020 * proton},
                                                      {"19F", 0.94094011 * proton},
                                                      {"23Na", 0.26451900 * proton},
                                                      {"31P", 0.40480742 * proton},
                                                      {"129Xe", 0.27810186 * (1 - 5331e-6) * proton}};
    return ratios;
}

}  // namespace

double gyromagnetic_ratio_hz_per_t(const std::string& nucleus) {
    const auto found = gyromagnetic_ratios().find(nucleus);
    if (found == gyromagnetic_ratios().end()) {
        throw UsageError(
            fmt::format("`nucleus`: '{}' is not known; expected one of {}", nucleus, fmt::join(known_nuclei(), ", ")));
    }
    return found->second;
}

std::vector<std::string> known_nuclei() {
    std::vector<std::string> names;
    for (const auto& [name, ratio] : gyromagnetic_ratios()) {
        names.push_back(name);
    }
    return names;
}

}  // namespace recon
