#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/regularisation/prior_terms.hpp"
#include "app/reconstruction/regularisation/regularised_system.hpp"
#include "app/reconstruction/scan_prior/terms/scan_term.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {

/// Of iterations and residual; neither: the solution decides.
struct AskedLimits {
    std::optional<int> iterations;
    std::optional<double> stop;
};

/// A x = b for one prior of the scan beside the other terms, A = E^H E + sum_i lambda_i Q(0) W_i^H W_i, many right
/// sides; with a preconditioner of circulants that hold the spectra of Q and of the terms.
class ScanSystem {
public:
    /// @param problem, priors, and the deviations of `scan`  outlive the system
    /// @param of_data    eigenvalues of the circulant approximation of E^H E, smoothed and all positive: [x y z] of
    /// circulant_grid
    /// @param deviation  sigma of the data, for terms that are not the scan's
    /// @param asked      limits that the user asks of the image's solution
    ScanSystem(const FrameProblem& problem, const PriorTerms& priors, const ScanTerm& scan, ConstArrayView of_data,
               double deviation, const AskedLimits& asked);

    const std::vector<PriorTerm>& terms() const { return terms_; }
    /// What may be left where a solution stops; of no say where `iterations` or `stop` were asked for.
    struct Stop {
        double energy;  ///< of (x - x*)^H A (x - x*)
        double size;    ///< a part of |x|^2
        bool closes;    ///< as CgOptions
    };
    /// The image.
    /// @param x     start value on entry
    /// @param name  for the log
    CgReport solve(ArrayView x, const Stop& stop, const char* name) const;

    /// A sample of the error, for a right side of noise. Says nothing.
    CgReport sample(ConstArrayView right_side, ArrayView x, const Stop& stop) const;

    /// image += sum_i sqrt(lambda_i Q(0)) W_i^H (sigma w), w white, [x y z]: what the priors take off a draw of theirs.
    void add_draw_of_priors(Index draw, ArrayView image) const;

    /// image = the draw itself of the scan's prior, where that is its spectrum: what the solution of
    /// add_draw_of_priors would be if nothing had been measured.
    void set_to_prior_draw(Index draw, ArrayView image) const;

    void restrict_to_support(ArrayView image) const;
    /// image = f image, for the f with which it is nearest to the solution, in the norm of A.
    void scale_to_fit(ArrayView image) const;
    /// image -= f part, for the f with which what is left is least, in the norm of A.
    void take_off(ConstArrayView part, ArrayView image) const;

private:
    void draw_of_term(std::size_t term, Index draw, ArrayView image) const;
    /// Of the solution A^-1 right_side on part, in the norm of A.
    cdouble projection(ConstArrayView right_side, ConstArrayView part) const;
    CgOptions options(const Stop& stop) const;
    CgReport solve(ConstArrayView right_side, ArrayView x, const CgOptions& options, IterationObserver& observer) const;

    const FrameProblem& problem_;
    const Support* support_;
    std::vector<PriorTerm> terms_;
    std::shared_ptr<const std::vector<double>> scan_spectrum_;
    std::span<const double> scan_deviations_;
    double scan_deviation_;
    double deviation_;
    AskedLimits asked_;
    std::optional<RegularisedSystem> regularised_;
    std::unique_ptr<const LinearOperator> preconditioner_;
    std::optional<Supported> supported_;
};

}  // namespace recon
