#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// The compact kernel of the NUFFT, the same on every backend: the prolate spheroidal wave function of order zero,
/// which of all functions of this support has the most energy inside the band [Slepian 1961]. Arguments
/// are in grid points; the support is |u| <= width / 2 and value(0) = 1. (docs/decisions/0004-gridding-kernel.md)
struct GriddingKernel {
    static constexpr int min_width = 2;
    static constexpr int max_width = 16;

    int width = 0;            ///< grid points, min_width to max_width
    double oversampling = 2;  ///< grid points per voxel for which beta was chosen
    double beta = 0;          ///< time-bandwidth product of the prolate function, radians

    /// The best kernel of this width: beta minimises the aliasing. @throws UsageError if `width` is out of range or
    /// `oversampling` is not above 1
    static GriddingKernel of_width(int width, double oversampling);
    /// Narrowest kernel with which a 3-D transform meets `tolerance` (relative L2) at this oversampling.
    /// @throws UsageError if no width up to 16 meets it
    static GriddingKernel for_tolerance(double tolerance, double oversampling);

    double value(double u) const;
    /// Fourier transform: integral of value(u) exp(-i 2 pi u x) du; real and even. `x` in cycles per grid point,
    /// |x| <= 3.5.
    double transform(double x) const;
    /// What aliases onto position `x`, relative to the transform there: the relative error of a voxel at `x` in one
    /// dimension, for samples at the worst places between the grid points, where all images of the band add up.
    double aliasing(double x) const;
    /// Root mean square of `aliasing` over the positions of an image, |x| <= 1 / (2 oversampling).
    double mean_aliasing() const;

private:
    std::vector<double> legendre_;  ///< coefficients of P_0, P_2, P_4, ... of the value, argument u / (width / 2)
    std::vector<double> node_;      ///< positive quadrature nodes, grid points
    std::vector<double> mass_;      ///< value times quadrature weight at each, both signs together
};

/// Smallest 2^a 3^b 5^c not below `minimum`, and divisible by 8 where that costs at most 5 %.
Index next_fft_size(Index minimum);

}  // namespace recon
