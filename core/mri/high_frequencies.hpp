#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// |DFT of the windowed readout|^2, scaled to the variance of white noise, at |frequency| >= 3/8 cycles a sample.
class HighFrequencies {
public:
    explicit HighFrequencies(Index length);

    Index count() const { return 5 * transform_length_ / 8 - first_bin() + 1; }

    /// By several threads at a time. @param squares  count() of them
    void find(std::span<const cfloat> readout, std::span<double> squares) const;

private:
    Index first_bin() const { return (3 * transform_length_ + 7) / 8; }

    Index transform_length_;  ///< that of the readout or, with zeros behind it, the next one without large primes
    std::vector<double> window_;
    double power_ = 0;
};

/// E|n|^2 of complex Gaussian numbers n, from the median of |n|^2, exact zeros left out; 0 if there are fewer than 32.
/// @param squares  |n|^2, left in another order
double robust_variance(std::vector<double>& squares);

}  // namespace recon
