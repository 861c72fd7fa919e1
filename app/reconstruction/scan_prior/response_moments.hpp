#pragma once

#include <vector>

#include "app/reconstruction/scan_prior/terms/scan_term.hpp"

namespace recon {

/// What the responses H = c / (c + p) of an image to its data are in the mean over all frequencies, in the circulant
/// approximation.
struct ResponseMoments {
    double peak = 0;               ///< H(0); the largest H where the centre is not sampled
    double mean = 0;               ///< of H
    double variance = 0;           ///< sigma^2 where the data count, weighed by H
    double deciding_variance = 0;  ///< and where the prior decides, between frequencies that the data give and those
                                   ///< that they do not: weighed by H (1 - H); 0 if there are none
};

/// @param of_data  c, at the points of circulant_grid  @param of_prior  p
ResponseMoments response_moments(const std::vector<float>& of_data, const ScanTerm& of_prior);

}  // namespace recon
