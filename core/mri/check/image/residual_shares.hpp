#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Where in k-space an image E rho and the data d disagree: energies, of all ranks.
struct ResidualShares {
    std::vector<double> of_coils;              ///< |E rho - d|^2, [coil]
    std::vector<double> data_of_coils;         ///< |d|^2, [coil]
    std::vector<double> predicted_of_coils;    ///< |E rho|^2, [coil]
    std::vector<double> of_samples;            ///< |E rho - d|^2 over the coils, [sample]
    std::vector<double> predicted_of_samples;  ///< |E rho|^2 likewise
};

}  // namespace recon
