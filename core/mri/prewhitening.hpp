#pragma once

#include <span>
#include <vector>

#include "core/types.hpp"

namespace recon {

/// Makes the noise of the coils uncorrelated and of equal variance [Pruessmann 2001, appendix A].
///
/// With the noise covariance Psi = L L^H, scaled to mean variance 1, k-space and coil maps are both multiplied by L^-1
/// along the coil axis; the least-squares image then is the maximum-likelihood one.
class Prewhitening {
public:
    /// @param noise  [sample coil] of a scan without signal
    /// @throws InputError if there are fewer samples than coils, or a coil is silent or a copy of others
    Prewhitening(std::span<const cfloat> noise, Index coil_count);

    /// In place, [element coil]: samples of k-space, or voxels of coil maps.
    void apply(std::span<cfloat> values) const;

private:
    Index coil_count_;
    std::vector<cdouble> whitener_;  ///< L^-1, [coil coil], column-major
};

}  // namespace recon
