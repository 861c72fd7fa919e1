#include "core/mri/priors/scan_noise.hpp"

#include <algorithm>
#include <cmath>

namespace recon {

ScanNoise split_noise(std::span<const ShellResidual> shells, ScanNoise noise, double least_white, double most_white) {
    noise.white = std::clamp(noise.white, least_white, most_white);
    // Fisher scoring: least squares of the variances, weighted by what they scatter by at the present estimate.
    for (int step = 0; step < 100; ++step) {
        double ww = 0, ws = 0, ss = 0, wv = 0, sv = 0;
        for (const ShellResidual& shell : shells) {
            const double variance = noise.variance(shell.signal);
            const double weight = shell.freedom / (variance * variance);
            ww += weight;
            ws += weight * shell.signal;
            ss += weight * shell.signal * shell.signal;
            wv += weight * shell.variance;
            sv += weight * shell.signal * shell.variance;
        }
        const double determinant = ww * ss - ws * ws;
        ScanNoise next{ww > 0 ? wv / ww : noise.white, 0};
        if (determinant > 1e-9 * ww * ss) {
            next = {(wv * ss - sv * ws) / determinant, (sv * ww - wv * ws) / determinant};
            if (next.relative < 0) {
                next = {wv / ww, 0};
            }
        }
        if (!(next.white >= least_white) || next.white > most_white) {
            next.white = std::clamp(std::isfinite(next.white) ? next.white : noise.white, least_white, most_white);
            next.relative = ss > 0 ? std::max(0.0, (sv - next.white * ws) / ss) : 0;
        }
        const double change = std::abs(next.white / noise.white - 1);
        // Half of the way: whole steps may swing about the end.
        noise = {0.5 * (noise.white + next.white), 0.5 * (noise.relative + next.relative)};
        constexpr double settled = 1e-6;
        if (change < settled && step > 20) {
            break;
        }
    }
    constexpr double least_relative = 1e-12;
    return {noise.white, noise.relative > least_relative ? noise.relative : 0};
}

}  // namespace recon
