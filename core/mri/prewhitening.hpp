#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Makes the noise of the coils uncorrelated and of equal variance [Pruessmann 2001, appendix A].
///
/// With the noise covariance Psi = L L^H, scaled to mean variance 1, k-space and coil maps are both multiplied by L^-1
/// along the coil axis; the least-squares image then is the maximum-likelihood one.
class Prewhitening {
public:
    /// @param noise  [sample coil] of a scan without signal
    /// @throws InputError if there are fewer samples than coils, or a coil is silent or a copy of others
    static Prewhitening from_noise(std::span<const cfloat> noise, Index coil_count);
    /// @param covariance  Psi[c,c'] = E n_c conj(n_c'), column-major, at any scale  @param where  for messages
    /// @throws InputError if its size is not that of the coils, or it is not Hermitian and positive definite
    static Prewhitening from_covariance(std::span<const cdouble> covariance, Index coil_count,
                                        const std::string& where);

    /// In place, [element coil]: samples of k-space, or voxels of coil maps.
    void apply(std::vector<cfloat>& values) const;
    /// The inverse of that: what the coils themselves see.
    void undo(std::vector<cfloat>& values) const;

private:
    Prewhitening(std::span<const cdouble> covariance, Index coil_count, const std::string& where);

    Index coil_count_;
    std::vector<cdouble> factor_;    ///< L, [coil coil], column-major
    std::vector<cdouble> whitener_;  ///< L^-1
};

}  // namespace recon
