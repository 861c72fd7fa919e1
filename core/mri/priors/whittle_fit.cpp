#include "core/mri/priors/whittle_fit.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/types.hpp"

namespace recon {
namespace {

/// Where the data tell little, log P falls in log |k| as it does where they tell more; that slope in turn is, where
/// they tell nothing, that of objects with edges. A slope that is unusual all along (points, texture) so pays once.
constexpr double slope_penalty = 1;
constexpr double common_penalty = 3;  // times slope_penalty
constexpr double bend_penalty = 0.5;
constexpr Index most_knots = 10;

/// Minimises Whittle's cost over the values of log P at the knots, by Fisher scoring with Levenberg's damping.
class WhittleFit {
public:
    WhittleFit(const std::vector<SpectrumShell>& shells, const std::vector<double>& knots, double usual,
               double noise_energy, double floor)
        : shells_(shells), knots_(knots), usual_slope_(usual), noise_(noise_energy), log_floor_(std::log(floor)) {
        for (const SpectrumShell& shell : shells) {
            places_.push_back(place_between(knots, shell.log_k));
        }
        const auto count = static_cast<Index>(knots.size());
        slopes_ = Eigen::MatrixXd::Zero(count - 1, count);
        for (Index i = 0; i + 1 < count; ++i) {
            slopes_(i, i + 1) = 1 / (knots[i + 1] - knots[i]);
            slopes_(i, i) = -slopes_(i, i + 1);
        }
        // The least of sum (slope - common)^2 + common_penalty (common - usual)^2 over the common slope.
        const Index intervals = count - 1;
        unusual_ = Eigen::MatrixXd::Identity(intervals, intervals).array() -
                   1 / (static_cast<double>(intervals) + common_penalty);
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

    Eigen::VectorXd beside_usual(const Eigen::VectorXd& a) const { return (slopes_ * a).array() - usual_slope_; }

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
        const Eigen::VectorXd beside = beside_usual(a);
        double sum = slope_penalty * beside.dot(unusual_ * beside) + bend_penalty * (bends_ * a).squaredNorm();
        for (std::size_t s = 0; s < shells_.size(); ++s) {
            const double mu = noise_ + shells_[s].gain * std::exp(log_power(a, s));
            sum += shells_[s].weight * (std::log(mu) + shells_[s].energy / mu);
        }
        return sum;
    }

    std::pair<Eigen::VectorXd, Eigen::MatrixXd> derivatives(const Eigen::VectorXd& a) const {
        const Eigen::MatrixXd of_bends = 2 * bend_penalty * bends_.transpose() * bends_;
        Eigen::VectorXd gradient = 2 * slope_penalty * slopes_.transpose() * unusual_ * beside_usual(a) + of_bends * a;
        Eigen::MatrixXd curvature = 2 * slope_penalty * slopes_.transpose() * unusual_ * slopes_ + of_bends;
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

    const std::vector<SpectrumShell>& shells_;
    const std::vector<double>& knots_;
    double usual_slope_;
    double noise_;
    double log_floor_;
    std::vector<std::pair<std::size_t, double>> places_;
    Eigen::MatrixXd slopes_, bends_;  ///< slopes of the values at the knots, and changes of slope
    Eigen::MatrixXd unusual_;         ///< quadratic form of what slopes are beside the usual one
};

}  // namespace

std::vector<double> spectrum_knots(const std::vector<SpectrumShell>& shells, double width) {
    std::vector<double> knots;
    if (std::exp(shells.front().log_k) > width) {  // the centre is left out
        knots.push_back(std::log(0.5 * width));
    }
    knots.push_back(shells.front().log_k);
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

std::pair<std::size_t, double> place_between(const std::vector<double>& knots, double x) {
    if (knots.size() == 1 || x <= knots.front()) {
        return {0, 0.0};
    }
    if (x >= knots.back()) {
        return {knots.size() - 2, 1.0};
    }
    const auto right = static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), x) - knots.begin());
    return {right - 1, (x - knots[right - 1]) / (knots[right] - knots[right - 1])};
}

Eigen::VectorXd whittle_fit(const std::vector<SpectrumShell>& shells, const std::vector<double>& knots,
                            double usual_slope, double noise_energy, double floor) {
    return WhittleFit(shells, knots, usual_slope, noise_energy, floor).solve();
}

}  // namespace recon
