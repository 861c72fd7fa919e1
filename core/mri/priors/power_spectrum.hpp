#pragma once

#include <vector>

#include "core/mri/priors/kspace_shells.hpp"

namespace recon {

/// The expected energy P(|k|) of an image's Fourier transform, log P piecewise linear in log |k|: constant below the
/// first knot; beyond the last with the slope of the last knots, and at least as steep as |k|^-2. Where they fall
/// faster than sharp edges do, P is taken for that of edges rounded by a Gaussian, |k|^slope exp(-c k^2), and goes on
/// so.
class PowerSpectrum {
public:
    /// @param k_per_mm  of the knots, positive, ascending  @param power  there, positive
    /// @param slope_of_edges  of log P in log |k|, of sharp ones
    PowerSpectrum(const std::vector<double>& k_per_mm, const std::vector<double>& power, double slope_of_edges = -2);

    double operator()(double k_per_mm) const;
    std::vector<double> k_per_mm() const;
    std::vector<double> power() const;
    PowerSpectrum times(double factor) const;

    /// Slope of log P in log |k|, by least squares over the knots where P is above `floor`; 0 for fewer than two.
    double exponent(double floor) const;

private:
    std::vector<double> log_k_;
    std::vector<double> log_power_;
    double last_slope_ = -2;
    double rounding_ = 0;  ///< c, in mm^2
};

/// Slope of log P in log |k| of objects with sharp edges: -(d + 1) in d dimensions.
/// @param factors  KspaceShells::factors, 0 for an axis of one voxel
double slope_of_edges(const PerAxis<double>& factors);

/// The noise of a scan as its shells see it.
struct ShellNoise {
    double variance = 0;    ///< sigma^2 of a sample of one coil
    double coil_count = 1;  ///< of coils that measured anything
    double coil_gain = 1;   ///< mean of sum_c |S_c|^2 over the object
};

/// P by Whittle's likelihood of the shells [Whittle 1953]: sum_c |d_c|^2 of a sample is expected to be
///
///     mu(k) = C sigma^2 + gain P(|k|),
///
/// and P minimises sum_samples C [log mu + e / mu], with light penalties on slopes of log P in log |k| that are not
/// those of edges, -(d + 1) in d dimensions, and on changes of slope. Never negative; where P sinks below the noise it
/// falls like an object with edges.
/// @throws Error if no shell holds a sample, or none any energy
PowerSpectrum fit_power_spectrum(const KspaceShells& shells, const ShellNoise& noise);

/// sum_samples C [log mu + e / mu], in nats: by how much a spectrum is less likely than another.
double misfit(const KspaceShells& shells, const ShellNoise& noise, const PowerSpectrum& spectrum);

/// The factor that makes `spectrum`, of other frames of a series, the most likely one of these shells: of an object of
/// the same shape that is brighter or darker. At least 1e-12.
double brightness(const KspaceShells& shells, const ShellNoise& noise, const PowerSpectrum& spectrum);

}  // namespace recon
