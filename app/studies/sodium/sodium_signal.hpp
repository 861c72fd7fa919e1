#pragma once

namespace recon::sodium {

/// Relaxation of 23Na. Its spin of 3/2 has two transverse rates where it is bound: a fast part, 0.6 in tissue, and a
/// slow one; in fluid both are one [Madelin 2013].
struct Relaxation {
    double t1_s;
    double fast_share;  ///< 0 to 1
    double t2_fast_s;   ///< T2*
    double t2_slow_s;
};

/// Round values within the ranges of [Madelin 2013].
constexpr Relaxation tissue{0.035, 0.6, 0.003, 0.020};
constexpr Relaxation fluid{0.055, 0, 0.050, 0.050};
constexpr Relaxation agar{0.030, 0.6, 0.005, 0.030};

struct Sequence {
    double repetition_time_s = 0.100;
    double echo_time_s = 0.0003;
    double flip_degrees = 90;
};

/// Longitudinal steady state of a spoiled sequence, times the sine of the flip angle [Ernst 1966]:
/// sin a (1 - E1) / (1 - cos a E1), E1 = exp(-TR / T1); the part of the magnetisation that is measured at time 0.
double saturation(const Relaxation& relaxation, const Sequence& sequence);

/// fast exp(-t / T2fast) + (1 - fast) exp(-t / T2slow)
double decay(const Relaxation& relaxation, double time_s);

/// Signal at the echo time for unit concentration: saturation times decay.
double signal_factor(const Relaxation& relaxation, const Sequence& sequence);

}  // namespace recon::sodium
