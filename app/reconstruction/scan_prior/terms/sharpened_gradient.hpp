#pragma once

#include <memory>
#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/scan_prior/terms/scan_term.hpp"
#include "core/operators/circulant_filter.hpp"
#include "core/operators/penalties/finite_differences.hpp"

namespace recon {

/// The gradient whose variance the local prior knows, of an image in which detail weighs more the rarer the spectrum
/// makes it:
///
///     G = D H,    h(k)^2 = (1 / (P(k) |D(k)|^2))^a in units of its mean,    D first differences in space,
///
/// a by the dimension and the size of the grid.
/// A variance of plain gradients takes an energy of |k|^-2 for likely, and images have less detail than that
/// (docs/default-image.md). With the exponent 1 the prior would be that of the spectrum where the variance is the same
/// everywhere.
class SharpenedGradient {
public:
    /// @param of_spectrum  of spectrum_term
    SharpenedGradient(const FrameProblem& problem, const ScanTerm& of_spectrum);

    /// G x, [x y z axis]
    Array of(ConstArrayView x) const;
    /// H
    const std::shared_ptr<const CirculantFilter>& filter() const { return filter_; }
    /// Eigenvalues of G^H G, of the octant of frequencies.
    const std::shared_ptr<const std::vector<double>>& spectrum() const { return spectrum_; }
    /// Of D.
    const PerAxis<double>& axis_factors() const { return axis_factors_; }

private:
    PerAxis<double> axis_factors_;
    FiniteDifferences differences_;
    std::shared_ptr<const CirculantFilter> filter_;
    std::shared_ptr<const std::vector<double>> spectrum_;
};

}  // namespace recon
