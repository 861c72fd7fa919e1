#pragma once

#include <memory>
#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/regularisation/prior_terms.hpp"
#include "core/mri/priors/power_spectrum.hpp"
#include "core/mri/priors/scan_noise.hpp"
#include "core/operators/even_grid.hpp"

namespace recon {

/// A part of the image in which a term is nearly circulant.
struct TermLevel {
    double strength;                          ///< of the term there, in units of `ScanTerm::spectrum`
    std::shared_ptr<const Array> root_share;  ///< [x y z]; the squares of all levels add up to 1, or to 1 / e
};

/// A quadratic term whose lambda is 1, with what a circulant preconditioner needs of it.
struct ScanTerm {
    PriorTerm term;
    EvenGrid grid;                                        ///< of frequencies
    std::shared_ptr<const std::vector<double>> spectrum;  ///< eigenvalues of Q(0) W^H W, of its octant; or of
    std::vector<TermLevel> levels;                        ///< parts in which it is circulant, in their unit
    /// sigma of the data: a draw of the prior that the image then shrinks is W^H (sigma w), w white. Of the octant of
    /// frequencies, where these are W's codomain; or, where this is empty, `deviation` of all.
    std::vector<double> deviations;
    double deviation = 0;

    double variance(std::size_t at) const {
        const double sigma = deviations.empty() ? deviation : deviations[at];
        return sigma * sigma;
    }
};

/// sum_k sigma^2(k) |DFT(rho)(k)|^2 / P(|k|)
/// @param k      k_of_grid
/// @param noise  of a sample of one coil, whose signal is signal_share P
/// @param voxels  that share the energy P: those that are solved for
/// @param most   no eigenvalue is more
ScanTerm spectrum_term(const FrameProblem& problem, const std::vector<double>& k, const PowerSpectrum& spectrum,
                       const ScanNoise& noise, double signal_share, double voxels, double most);

}  // namespace recon
