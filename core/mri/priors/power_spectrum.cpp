#include "core/mri/priors/power_spectrum.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr double steepest_flat_tail = -2;  ///< |k|^-2: finite variance of gradients needs no less
constexpr Index most_knots = 10;
/// Where the data tell little, log P falls in log |k| as that of objects with edges, after however steep a fall before.
constexpr double slope_penalty = 1;
constexpr double bend_penalty = 0.5;
/// P below this part of the largest energy, and of the noise, is as good as none.
constexpr double least_power = 1e-12;

struct Shell {
    double weight;  ///< C times samples
    double log_k;
    double energy;  ///< mean over the samples
    double gain;
};

/// Where x lies between the knots: index of the left one, and how far from it to the next.
std::pair<std::size_t, double> place(const std::vector<double>& knots, double x) {
    if (knots.size() == 1 || x <= knots.front()) {
        return {0, 0.0};
    }
    if (x >= knots.back()) {
        return {knots.size() - 2, 1.0};
    }
    const auto right = static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), x) - knots.begin());
    return {right - 1, (x - knots[right - 1]) / (knots[right] - knots[right - 1])};
}

/// Knots in log k: the first shell, then evenly to the last one, none closer than a shell.
std::vector<double> choose_knots(const std::vector<Shell>& shells, double width) {
    std::vector<double> knots{shells.front().log_k};
    const double first = std::max(std::exp(shells.front().log_k) + width, 1.5 * width);
    const double last = std::exp(shells.back().log_k);
    if (last <= first) {
        if (last > 1.2 * std::exp(knots.front())) {
            knots.push_back(shells.back().log_k);
        }
        return knots;
    }
    const Index count = std::clamp<Index>(std::ssize(shells) - 2, 1, most_knots - 1);
    for (Index i = 0; i < count; ++i) {
        const double part = count == 1 ? 1 : static_cast<double>(i) / static_cast<double>(count - 1);
        knots.push_back(std::log(first) + part * std::log(last / first));
    }
    return knots;
}

/// Minimises Whittle's cost over the values of log P at the knots, by Fisher scoring with Levenberg's damping.
class WhittleFit {
public:
    WhittleFit(const std::vector<Shell>& shells, const std::vector<double>& knots, double usual, double noise_energy,
               double floor)
        : shells_(shells), knots_(knots), usual_slope_(usual), noise_(noise_energy), log_floor_(std::log(floor)) {
        for (const Shell& shell : shells) {
            places_.push_back(place(knots, shell.log_k));
        }
        const auto count = static_cast<Index>(knots.size());
        slopes_ = Eigen::MatrixXd::Zero(count - 1, count);
        for (Index i = 0; i + 1 < count; ++i) {
            slopes_(i, i + 1) = 1 / (knots[i + 1] - knots[i]);
            slopes_(i, i) = -slopes_(i, i + 1);
        }
        bends_ = slopes_.bottomRows(std::max<Index>(count - 2, 0)) - slopes_.topRows(std::max<Index>(count - 2, 0));
    }

    Eigen::VectorXd solve() const {
        Eigen::VectorXd a = start();
        double damping = 1e-3;
        double before = cost(a);
        for (int step = 0; step < 200 && damping < 1e12; ++step) {
            const auto [gradient, curvature] = derivatives(a);
            Eigen::MatrixXd damped = curvature;
            damped.diagonal() += damping * (curvature.diagonal().array() + 1e-6).matrix();
            const Eigen::VectorXd move = damped.ldlt().solve(gradient);
            const Eigen::VectorXd tried = (a - move).cwiseMax(log_floor_);
            const double now = cost(tried);
            if (!(now <= before)) {
                damping *= 8;
                continue;
            }
            const double gain = before - now;
            a = tried;
            before = now;
            damping = std::max(damping / 4, 1e-9);
            constexpr double negligible_nats = 1e-4;
            if (gain < negligible_nats) {
                break;
            }
        }
        return a;
    }

private:
    double log_power(const Eigen::VectorXd& a, std::size_t shell) const {
        const auto [left, part] = places_[shell];
        const auto i = static_cast<Index>(left);
        return part == 0 ? a[i] : (1 - part) * a[i] + part * a[i + 1];
    }

    Eigen::VectorXd unusual(const Eigen::VectorXd& a) const { return (slopes_ * a).array() - usual_slope_; }

    /// Energies above the noise, interpolated to the knots.
    Eigen::VectorXd start() const {
        Eigen::VectorXd a(std::ssize(knots_));
        for (Index i = 0; i < a.size(); ++i) {
            std::size_t nearest = 0;
            for (std::size_t s = 0; s < shells_.size(); ++s) {
                if (std::abs(shells_[s].log_k - knots_[i]) < std::abs(shells_[nearest].log_k - knots_[i])) {
                    nearest = s;
                }
            }
            const double above =
                std::max(shells_[nearest].energy - 0.9 * noise_, 1e-3 * noise_) / shells_[nearest].gain;
            a[i] = std::max(std::log(std::max(above, 1e-300)), log_floor_);
        }
        return a;
    }

    double cost(const Eigen::VectorXd& a) const {
        double sum = slope_penalty * unusual(a).squaredNorm() + bend_penalty * (bends_ * a).squaredNorm();
        for (std::size_t s = 0; s < shells_.size(); ++s) {
            const double mu = noise_ + shells_[s].gain * std::exp(log_power(a, s));
            sum += shells_[s].weight * (std::log(mu) + shells_[s].energy / mu);
        }
        return sum;
    }

    std::pair<Eigen::VectorXd, Eigen::MatrixXd> derivatives(const Eigen::VectorXd& a) const {
        const Eigen::MatrixXd of_bends = 2 * bend_penalty * bends_.transpose() * bends_;
        Eigen::VectorXd gradient = 2 * slope_penalty * slopes_.transpose() * unusual(a) + of_bends * a;
        Eigen::MatrixXd curvature = 2 * slope_penalty * slopes_.transpose() * slopes_ + of_bends;
        for (std::size_t s = 0; s < shells_.size(); ++s) {
            const double signal = shells_[s].gain * std::exp(log_power(a, s));
            const double mu = noise_ + signal;
            const double slope = shells_[s].weight * (signal / mu) * (1 - shells_[s].energy / mu);
            const double fisher = shells_[s].weight * (signal / mu) * (signal / mu);
            const auto [left, part] = places_[s];
            const auto i = static_cast<Index>(left);
            const double h[2] = {1 - part, part};
            for (Index p = 0; p < 2 && i + p < a.size(); ++p) {
                gradient[i + p] += slope * h[p];
                for (Index q = 0; q < 2 && i + q < a.size(); ++q) {
                    curvature(i + p, i + q) += fisher * h[p] * h[q];
                }
            }
        }
        return {gradient, curvature};
    }

    const std::vector<Shell>& shells_;
    const std::vector<double>& knots_;
    double usual_slope_;
    double noise_;
    double log_floor_;
    std::vector<std::pair<std::size_t, double>> places_;
    Eigen::MatrixXd slopes_, bends_;  ///< slopes of the values at the knots, and changes of slope
};

/// Of the shells that hold samples.
std::vector<Shell> means_of(const KspaceShells& sums, const ShellNoise& noise) {
    std::vector<Shell> shells;
    for (std::size_t s = 0; s < sums.count.size(); ++s) {
        if (sums.count[s] > 0 && sums.gain[s] > 0) {
            const double k = std::max(sums.mean_k(s), 0.25 * sums.width_per_mm());
            shells.push_back({noise.coil_count * sums.count[s], std::log(k), sums.energy[s] / sums.count[s],
                              noise.coil_gain * sums.gain[s] / sums.count[s]});
        }
    }
    return shells;
}

}  // namespace

PowerSpectrum::PowerSpectrum(const std::vector<double>& k_per_mm, const std::vector<double>& power) {
    for (std::size_t i = 0; i < k_per_mm.size(); ++i) {
        log_k_.push_back(std::log(k_per_mm[i]));
        log_power_.push_back(std::log(power[i]));
    }
    const std::size_t n = log_k_.size();
    if (n > 1) {
        const std::size_t from = n > 4 ? n - 4 : 0;
        last_slope_ =
            std::min(steepest_flat_tail, (log_power_[n - 1] - log_power_[from]) / (log_k_[n - 1] - log_k_[from]));
    }
}

double PowerSpectrum::operator()(double k_per_mm) const {
    if (!(k_per_mm > 0)) {
        return std::exp(log_power_.front());
    }
    const double x = std::log(k_per_mm);
    const double beyond = std::max(0.0, x - log_k_.back());
    const auto [left, part] = place(log_k_, x);
    const double inside = part == 0 ? log_power_[left] : (1 - part) * log_power_[left] + part * log_power_[left + 1];
    return std::exp(inside + last_slope_ * beyond);
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
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < log_k_.size(); ++i) {
        if (std::exp(log_power_[i]) > floor) {
            n += 1;
            x += log_k_[i];
            y += log_power_[i];
            xx += log_k_[i] * log_k_[i];
            xy += log_k_[i] * log_power_[i];
        }
    }
    return n < 2 ? 0 : (n * xy - x * y) / (n * xx - x * x);
}

double slope_of_edges(const PerAxis<double>& factors) {
    return -1.0 - static_cast<double>(std::count_if(factors.begin(), factors.end(), [](double f) { return f > 0; }));
}

PowerSpectrum fit_power_spectrum(const KspaceShells& sums, const ShellNoise& noise) {
    const std::vector<Shell> shells = means_of(sums, noise);
    double largest = 0;
    for (const Shell& shell : shells) {
        largest = std::max(largest, shell.energy / shell.gain);
    }
    if (shells.empty() || !(largest > 0)) {
        throw Error("power spectrum: no sample holds any energy");
    }
    const double noise_energy = noise.coil_count * noise.variance;
    const double floor = std::max(least_power * largest, 1e-4 * noise_energy / noise.coil_gain);
    const std::vector<double> knots = choose_knots(shells, sums.width_per_mm());
    const Eigen::VectorXd a =
        WhittleFit(shells, knots, slope_of_edges(sums.factors()), noise_energy, std::min(floor, largest)).solve();
    std::vector<double> k, power;
    for (Index i = 0; i < a.size(); ++i) {
        k.push_back(std::exp(knots[i]));
        power.push_back(std::exp(a[i]));
    }
    return {k, power};
}

double misfit(const KspaceShells& sums, const ShellNoise& noise, const PowerSpectrum& spectrum) {
    double sum = 0;
    for (const Shell& shell : means_of(sums, noise)) {
        const double mu = noise.coil_count * noise.variance + shell.gain * spectrum(std::exp(shell.log_k));
        sum += shell.weight * (std::log(mu) + shell.energy / mu);
    }
    return sum;
}

double brightness(const KspaceShells& sums, const ShellNoise& noise, const PowerSpectrum& spectrum) {
    const std::vector<Shell> shells = means_of(sums, noise);
    double log_factor = 0;
    for (int step = 0; step < 100; ++step) {  // Fisher scoring in log factor
        double slope = 0, fisher = 0;
        for (const Shell& shell : shells) {
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
