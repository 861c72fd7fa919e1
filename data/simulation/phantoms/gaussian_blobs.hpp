#pragma once

#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/trajectory.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "data/simulation/phantoms/trigonometric_maps.hpp"

namespace recon {

/// amplitude exp(-|r - centre|^2 / (2 sigma^2)), lengths in fields of view.
struct GaussianBlob {
    PerAxis<double> centre;
    double sigma;
    double amplitude;
};

/// A sum of many Gaussian blobs in 1, 2 or 3 dimensions, whose Fourier transform is known everywhere:
///
///     sum_j amplitude_j (2 pi sigma_j^2)^(d/2) exp(-2 pi^2 sigma_j^2 |k|^2 - i 2 pi k.centre_j).
class GaussianBlobs {
public:
    /// The cut of solid blobs by the absent axes: those that the cut passes at more than 3.5 sigma are left out.
    GaussianBlobs(const std::vector<GaussianBlob>& solid, PerAxis<bool> present, PerAxis<double> section);

    const std::vector<GaussianBlob>& blobs() const { return blobs_; }  ///< centres 0 along absent axes

    /// To 2e-8 of the amplitudes (a blob ends 6 sigma from its centre). @return [x y z]
    std::vector<double> values(const VoxelGrid& grid) const;

    /// The transform of blobs times map at every sample. A function without frequencies beyond those of its narrowest
    /// blob is integrated by the sum over a fine enough grid (aliases below 1e-9 of the integrals of the blobs), which
    /// a NUFFT in double precision evaluates to 1e-9: as good as the closed form at its cost for a handful of blobs.
    /// @return [sample map]
    std::vector<cdouble> transform(const TrigonometricMaps& maps, const Trajectory& trajectory) const;

private:
    /// The grid that holds all blobs and resolves them, for samples up to the trajectory's largest |k|.
    VoxelGrid resolving_grid(const TrigonometricMaps& maps, const Trajectory& trajectory) const;

    PerAxis<bool> present_;
    std::vector<GaussianBlob> blobs_;
};

}  // namespace recon
