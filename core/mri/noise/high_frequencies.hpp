#pragma once

#include <span>
#include <vector>

#include "core/mri/kspace_excerpt.hpp"

namespace recon {

/// DFT of the windowed readout, scaled to the variance of white noise, at |frequency| >= 3/8 cycles a sample.
class HighFrequencies {
public:
    explicit HighFrequencies(Index length);

    Index count() const { return 5 * transform_length_ / 8 - first_bin() + 1; }

    /// By several threads at a time. @param values  count() of them
    void find(std::span<const cfloat> readout, std::span<cfloat> values) const;
    /// |.|^2 of these
    void find(std::span<const cfloat> readout, std::span<double> squares) const;

private:
    Index first_bin() const { return (3 * transform_length_ + 7) / 8; }

    /// Unscaled, of this thread until its next readout.
    std::span<const cdouble> spectrum_of(std::span<const cfloat> readout) const;

    Index transform_length_;  ///< that of the readout or, with zeros behind it, the next one without large primes
    std::vector<double> window_;
    double power_ = 0;
};

/// Whether the first `readout_count` readouts of the excerpt are long, and sampled so closely (0.6 cycles per field of
/// view), that an object within the field of view has nothing at their HighFrequencies.
bool high_frequencies_are_free(const KspaceExcerpt& excerpt, const PerAxis<Index>& matrix_size, Index readout_count);

/// E|n|^2 of complex Gaussian numbers n, from the median of |n|^2, exact zeros left out; 0 if there are fewer than 32.
/// @param squares  |n|^2, left in another order
double robust_variance(std::vector<double>& squares);

}  // namespace recon
