#include "app/studies/sodium/sodium_signal.hpp"

#include <cmath>

#include "core/base/types.hpp"

namespace recon::sodium {

double saturation(const Relaxation& relaxation, const Sequence& sequence) {
    const double angle = sequence.flip_degrees * pi / 180;
    const double e1 = std::exp(-sequence.repetition_time_s / relaxation.t1_s);
    return std::sin(angle) * (1 - e1) / (1 - std::cos(angle) * e1);
}

double decay(const Relaxation& relaxation, double time_s) {
    return relaxation.fast_share * std::exp(-time_s / relaxation.t2_fast_s) +
           (1 - relaxation.fast_share) * std::exp(-time_s / relaxation.t2_slow_s);
}

double signal_factor(const Relaxation& relaxation, const Sequence& sequence) {
    return saturation(relaxation, sequence) * decay(relaxation, sequence.echo_time_s);
}

}  // namespace recon::sodium
