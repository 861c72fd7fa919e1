#include "core/mri/priors/power_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.hpp"
#include "core/mri/priors/whittle_fit.hpp"

namespace recon {
namespace {

constexpr double steepest_flat_tail = -2;  ///< |k|^-2: finite variance of gradients needs no less
/// P below this part of the largest energy, and of the noise, is as good as none.
constexpr double least_power = 1e-12;

/// Of the shells that hold samples.
std::vector<SpectrumShell> means_of(const KspaceShells& sums, const ShellNoise& noise) {
    std::vector<SpectrumShell> shells;
    for (std::size_t s = 0; s < sums.count.size(); ++s) {
        if (sums.count[s] > 0 && sums.gain[s] > 0) {
            const double k = std::max(sums.mean_k(s), 0.25 * sums.width_per_mm());
            shells.push_back({noise.coil_count * sums.count[s], std::log(k), sums.energy[s] / sums.count[s],
                              noise.coil_gain * sums.gain[s] / sums.count[s]});
        }
    }
    return shells;
}

/// Slope of y over x by least squares; 0 for fewer than two points.
double fitted_slope(const std::vector<double>& x, const std::vector<double>& y) {
    const auto n = static_cast<double>(x.size());
    const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / std::max(n, 1.0);
    double xx = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * y[i];
    }
    return xx > 0 ? xy / xx : 0;
}

}  // namespace

PowerSpectrum::PowerSpectrum(const std::vector<double>& k_per_mm, const std::vector<double>& power,
                             double slope_of_edges) {
    for (std::size_t i = 0; i < k_per_mm.size(); ++i) {
        log_k_.push_back(std::log(k_per_mm[i]));
        log_power_.push_back(std::log(power[i]));
    }
    const std::size_t n = log_k_.size();
    if (n < 2) {
        return;
    }
    const std::size_t from = n > 4 ? n - 4 : 0;
    std::vector<double> k_squared, beside_edges;
    for (std::size_t i = from; i < n; ++i) {
        k_squared.push_back(k_per_mm[i] * k_per_mm[i]);
        beside_edges.push_back(log_power_[i] - slope_of_edges * log_k_[i]);
    }
    rounding_ = std::max(0.0, -fitted_slope(k_squared, beside_edges));
    last_slope_ = rounding_ > 0 ? slope_of_edges
                                : std::min(steepest_flat_tail,
                                           (log_power_[n - 1] - log_power_[from]) / (log_k_[n - 1] - log_k_[from]));
}

double PowerSpectrum::operator()(double k_per_mm) const {
    if (!(k_per_mm > 0)) {
        return std::exp(log_power_.front());
    }
    const double x = std::log(k_per_mm);
    const double beyond = std::max(0.0, x - log_k_.back());
    const double rounded = beyond > 0 ? rounding_ * (k_per_mm * k_per_mm - std::exp(2 * log_k_.back())) : 0;
    const auto [left, part] = place_between(log_k_, x);
    const double inside = part == 0 ? log_power_[left] : (1 - part) * log_power_[left] + part * log_power_[left + 1];
    // Far beyond what was measured it would be 0, which nothing can be divided by.
    constexpr double deepest = 60;
    return std::exp(std::max(inside + last_slope_ * beyond - rounded, log_power_.front() - deepest));
}

std::vector<double> PowerSpectrum::k_per_mm() const {
    std::vector<double> values;
    std::transform(log_k_.begin(), log_k_.end(), std::back_inserter(values), [](double v) { return std::exp(v); });
    return values;
}

std::vector<double> PowerSpectrum::power() const {
    std::vector<double> values;
    std::transform(log_power_.begin(), log_power_.end(), std::back_inserter(values),
                   [](double v) { return std::exp(v); });
    return values;
}

PowerSpectrum PowerSpectrum::times(double factor) const {
    PowerSpectrum result = *this;
    for (double& value : result.log_power_) {
        value += std::log(factor);
    }
    return result;
}

double PowerSpectrum::exponent(double floor) const {
    std::vector<double> log_k, log_power;
    for (std::size_t i = 0; i < log_k_.size(); ++i) {
        if (std::exp(log_power_[i]) > floor) {
            log_k.push_back(log_k_[i]);
            log_power.push_back(log_power_[i]);
        }
    }
    return fitted_slope(log_k, log_power);
}

double slope_of_edges(const PerAxis<double>& factors) {
    return -1.0 - static_cast<double>(std::count_if(factors.begin(), factors.end(), [](double f) { return f > 0; }));
}

PowerSpectrum fit_power_spectrum(const KspaceShells& sums, const ShellNoise& noise) {
    const std::vector<SpectrumShell> shells = means_of(sums, noise);
    double largest = 0;
    for (const SpectrumShell& shell : shells) {
        largest = std::max(largest, shell.energy / shell.gain);
    }
    if (shells.empty() || !(largest > 0)) {
        throw Error("power spectrum: no sample holds any energy");
    }
    const double noise_energy = noise.coil_count * noise.variance;
    const double floor = std::max(least_power * largest, 1e-4 * noise_energy / noise.coil_gain);
    const std::vector<double> knots = spectrum_knots(shells, sums.width_per_mm());
    const double of_edges = slope_of_edges(sums.factors());
    const Eigen::VectorXd a = whittle_fit(shells, knots, of_edges, noise_energy, std::min(floor, largest));
    std::vector<double> k, power;
    for (Index i = 0; i < a.size(); ++i) {
        k.push_back(std::exp(knots[i]));
        power.push_back(std::exp(a[i]));
    }
    return {k, power, of_edges};
}

double misfit(const KspaceShells& sums, const ShellNoise& noise, const PowerSpectrum& spectrum) {
    double sum = 0;
    for (const SpectrumShell& shell : means_of(sums, noise)) {
        const double mu = noise.coil_count * noise.variance + shell.gain * spectrum(std::exp(shell.log_k));
        sum += shell.weight * (std::log(mu) + shell.energy / mu);
    }
    return sum;
}

double brightness(const KspaceShells& sums, const ShellNoise& noise, const PowerSpectrum& spectrum) {
    const std::vector<SpectrumShell> shells = means_of(sums, noise);
    double log_factor = 0;
    for (int step = 0; step < 100; ++step) {  // Fisher scoring in log factor
        double slope = 0, fisher = 0;
        for (const SpectrumShell& shell : shells) {
            const double signal = shell.gain * spectrum(std::exp(shell.log_k)) * std::exp(log_factor);
            const double mu = noise.coil_count * noise.variance + signal;
            slope += shell.weight * (signal / mu) * (shell.energy / mu - 1);
            fisher += shell.weight * (signal / mu) * (signal / mu);
        }
        const double move = fisher > 0 ? std::clamp(slope / fisher, -1.0, 1.0) : 0;
        log_factor = std::max(log_factor + move, std::log(least_power));
        constexpr double negligible = 1e-6;
        if (std::abs(move) < negligible) {
            break;
        }
    }
    return std::exp(log_factor);
}

}  // namespace recon
