#pragma once

#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/off_resonance_maps.hpp"

namespace recon {

/// How often each rate z = R2* + i 2 pi f occurs, on a grid over the complex plane.
struct RateHistogram {
    std::vector<cdouble> rate_per_s;
    std::vector<double> weight;  ///< the sum is 1

    /// @param maps  at least one of them not empty
    static RateHistogram of(const OffResonanceMaps& maps);
    /// Of conj(z) + z' for two voxels: what F^H F depends on. Symmetric about the real axis.
    static RateHistogram of_pairs(const OffResonanceMaps& maps);

    double lowest_hz() const;
    double highest_hz() const;
};

}  // namespace recon
