#pragma once

#include "core/types.hpp"

namespace recon {

/// The compact kernel of the NUFFT: exponential of semicircle [Barnett 2019, eq. 1.8] or a better one, the same on
/// every backend. Arguments are in grid points; the support is |u| <= width / 2.
struct GriddingKernel {
    int width = 0;            ///< grid points, 2 to 16
    double oversampling = 2;  ///< grid points per voxel for which beta was chosen
    double beta = 0;

    /// Narrowest kernel whose transform meets `tolerance` (relative L2) at this oversampling.
    /// @throws UsageError if no width up to 16 meets it
    static GriddingKernel for_tolerance(double tolerance, double oversampling);

    double value(double u) const;
    /// Fourier transform: integral of value(u) exp(-i 2 pi u x) du; real and even. `x` in cycles per grid point.
    double transform(double x) const;
};

/// Smallest 2^a 3^b 5^c not below `minimum`.
Index next_fft_size(Index minimum);

}  // namespace recon
