#pragma once

#include <string>
#include <vector>

namespace recon {

/// gamma / 2 pi of "1H", "3He", "13C", "19F", "23Na", "31P", "129Xe" (its magnitude), Hz/T. @throws UsageError
double gyromagnetic_ratio_hz_per_t(const std::string& nucleus);
std::vector<std::string> known_nuclei();

}  // namespace recon
