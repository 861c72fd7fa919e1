#pragma once

#include <vector>

#include "core/fourier/gridding_kernel.hpp"

namespace recon {

/// The gridding kernel as one polynomial per grid interval, for the inner loops of every backend.
///
/// A sample at grid position g touches the grid points first, ..., first + width - 1 with first = ceil(g - width / 2).
/// The weight of point first + j is sum_p coefficient[p * width + j] t^p, with t = 2 (first - g) + width - 1 in [-1,
/// 1).
struct KernelPolynomials {
    static constexpr int max_degree = 24;

    int width = 0;
    int degree = 0;
    std::vector<double> coefficient;  ///< [power][point], degree + 1 times width

    /// Lowest useful degree whose largest error is at most `error` (the kernel's peak is 1); fitted in double.
    /// An error below what double can give stops at the degree where the fit no longer improves.
    static KernelPolynomials fit(const GriddingKernel& kernel, double error);

    double value(int point, double t) const;
};

/// Largest error of the kernel's values that leaves its aliasing as it is, at the edge of the image, where dividing
/// by the transform amplifies it most.
double harmless_value_error(const GriddingKernel& kernel);

}  // namespace recon
