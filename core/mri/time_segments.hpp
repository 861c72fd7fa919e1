#pragma once

#include <span>
#include <vector>

#include "core/types.hpp"

namespace recon {

/// How often each off-resonance frequency occurs.
struct FrequencyHistogram {
    std::vector<double> frequency_hz;
    std::vector<double> weight;

    static FrequencyHistogram of(std::span<const float> off_resonance_hz);
    /// Of the differences of two frequencies; symmetric about zero.
    FrequencyHistogram differences() const;
};

/// The separable approximation exp(-i 2 pi f t) ~ sum_l b_l(t) exp(-i 2 pi f tau_l) [Fessler 2005, sec. III].
struct TimeSegments {
    std::vector<double> centre_s;                    ///< tau, evenly spaced over the readout
    std::vector<std::vector<cdouble>> interpolator;  ///< b, [segment][sample]
    double error = 0;                                ///< root mean square over the histogram, at the worst time

    Index count() const { return static_cast<Index>(centre_s.size()); }

    /// As few segments as meet the tolerance; b by least squares over the histogram.
    /// @param sample_times_s  [sample], not empty
    /// @throws InputError if the phases spread over more than 128 turns during the readout: a wrong unit
    static TimeSegments fit(const FrequencyHistogram& histogram, std::span<const float> sample_times_s,
                            double tolerance);
};

}  // namespace recon
