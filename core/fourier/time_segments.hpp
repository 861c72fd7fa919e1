#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/rate_histogram.hpp"

namespace recon {

/// The separable approximation exp(-z t) ~ sum_l b_l(t) exp(-z tau_l) [Fessler 2005, sec. III], for complex rates
/// z = R2* + i 2 pi f.
struct TimeSegments {
    std::vector<double> centre_s;                    ///< tau
    std::vector<std::vector<cdouble>> interpolator;  ///< b, [segment][sample]
    double error = 0;  ///< root mean square over the rates at the worst time, relative to that of exp(-z t) itself

    Index count() const { return static_cast<Index>(centre_s.size()); }

    /// As few segments as meet the tolerance; b by least squares over the histogram, half of whose weight is spread
    /// evenly over the rates that occur, so that rare ones are met as well. Never more than there are different times.
    /// @param sample_times_s  [sample], not empty
    /// @throws InputError if the phases spread over more than 128 turns during the readout: a wrong unit
    static TimeSegments fit(const RateHistogram& histogram, std::span<const float> sample_times_s, double tolerance);
    /// So many whose values nobody looks at, interpolators of one sample each (Device::listed).
    static TimeSegments unfitted(Index count) {
        const auto segments = static_cast<std::size_t>(count);
        return {std::vector<double>(segments, 0.0), std::vector<std::vector<cdouble>>(segments, {1.0}), 0};
    }
};

}  // namespace recon
