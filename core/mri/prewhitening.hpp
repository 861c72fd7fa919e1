#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Psi[c,c'] = E n_c conj(n_c') of a scan without signal, column-major. @param noise  [sample coil]
std::vector<cdouble> noise_covariance(std::span<const cfloat> noise, Index coil_count);

/// That of the coils that stay. @param left_out  their indices, ascending  @param covariance  of all
std::vector<cdouble> covariance_without(const std::vector<Index>& left_out, const std::vector<cdouble>& covariance);

/// Why coils are not to be whitened by the covariance of so many samples of their noise: with fewer than two for each
/// coil half of the signal-to-noise ratio would be lost, and more [Reed 1974]; or a coil is silent, or copies others.
/// For people; empty: nothing is in the way.
std::string obstacle_to_whitening(std::span<const cdouble> covariance, Index coil_count, Index sample_count);

/// The noise of the image of plain least squares beside that of whitened coils, at worst, as a ratio of variances: with
/// m the spread of the covariance's eigenvalues, (1 + m)^2 / 4 m [Kantorovich], where m is what chance does not explain
/// [Marchenko 1967]. 1: the noise of the coils is alike and unrelated, as far as so many samples tell.
double gain_of_whitening(std::span<const cdouble> covariance, Index coil_count, double sample_count);

/// Makes the noise of the coils uncorrelated and of equal variance [Pruessmann 2001, appendix A].
///
/// With the noise covariance Psi = L L^H, scaled to mean variance 1, k-space and coil maps are both multiplied by L^-1
/// along the coil axis; the least-squares image then is the maximum-likelihood one.
class Prewhitening {
public:
    /// @param covariance  Psi[c,c'] = E n_c conj(n_c'), column-major, at any scale  @param where  for messages
    /// @throws InputError if its size is not that of the coils, or it is not Hermitian and positive definite
    static Prewhitening from_covariance(std::span<const cdouble> covariance, Index coil_count,
                                        const std::string& where);

    /// In place, [element coil]: samples of k-space, or voxels of coil maps.
    void apply(std::vector<cfloat>& values) const;
    /// The inverse of that: what the coils themselves see.
    void undo(std::vector<cfloat>& values) const;

    /// By how much coils amplify more than the others, [coil]: 1, but for those of 16 times the noise of most (of its
    /// variance), whose receivers are taken to be set higher, rather than to be worse.
    std::vector<double> gains() const;

private:
    Prewhitening(std::span<const cdouble> covariance, Index coil_count, const std::string& where);

    Index coil_count_;
    std::vector<cdouble> factor_;    ///< L, [coil coil], column-major
    std::vector<cdouble> whitener_;  ///< L^-1
};

}  // namespace recon
