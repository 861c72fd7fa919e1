#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <utility>
#include <vector>

namespace recon {

/// What Whittle's cost knows of a shell of k-space.
struct SpectrumShell {
    double weight;  ///< C times samples
    double log_k;
    double energy;  ///< mean over the samples
    double gain;
};

/// Knots in log k: half a shell where none around the centre holds samples (P goes on rising into such a gap), the
/// first shell, then evenly to the last one, none closer than a shell; ten at the most, and that of the gap.
/// @param shells  in the order of k  @param width  of a shell
std::vector<double> spectrum_knots(const std::vector<SpectrumShell>& shells, double width);

/// Where x lies between the knots: index of the left one, and how far from it to the next.
std::pair<std::size_t, double> place_between(const std::vector<double>& knots, double x);

/// Logarithms of the power at the knots that minimise Whittle's cost,
///
///     sum weight [log mu + energy / mu],    mu = noise + gain P(k),
///
/// plus what unusual slopes and bends of log P over log k cost.
/// @param knots  in log k, ascending  @param usual_slope  of log P  @param noise_energy  of a sample, all coils
/// together
/// @param floor  P is no less
Eigen::VectorXd whittle_fit(const std::vector<SpectrumShell>& shells, const std::vector<double>& knots,
                            double usual_slope, double noise_energy, double floor);

}  // namespace recon
