#pragma once

#include <span>

namespace recon {

/// What a scan's samples hold beside the image: white noise, and errors of the model (coil maps, field map, decay,
/// motion), whose size follows that of the signal,
///
///     sigma^2(k) = white + relative s(k),    s the signal's energy in a sample of one coil.
struct ScanNoise {
    double white = 0;
    double relative = 0;

    double variance(double signal) const { return white + relative * signal; }
};

/// What is left over in a shell of k-space.
struct ShellResidual {
    double freedom;   ///< numbers less the degrees of freedom that the image spent on them, positive
    double variance;  ///< residual energy over that
    double signal;    ///< s
};

/// By maximum likelihood, sum freedom [log sigma^2 + variance / sigma^2], both parts not negative.
/// @param start  to begin with, white positive  @param least_white, most_white  bounds of the white part
ScanNoise split_noise(std::span<const ShellResidual> shells, ScanNoise start, double least_white, double most_white);

}  // namespace recon
