#include "core/mri/gradients/centre_out_delays.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "core/mri/gauss_newton_step.hpp"
#include "core/mri/gradients/centre_fit.hpp"
#include "core/mri/gradients/delay_elements.hpp"

namespace recon {
namespace {

class CentreOut {
public:
    CentreOut(const CentreOutReadouts& readouts, const Trajectory& positions, std::span<const cfloat> kspace,
              double noise_sigma)
        : readouts_(readouts), positions_(positions), elements_(readouts.axes), variance_(noise_sigma * noise_sigma) {
        const Index count = positions.sample_count();
        data_.resize(count, std::ssize(kspace) / count);
        for (Index i = 0; i < data_.size(); ++i) {
            data_.data()[i] = cdouble(kspace[static_cast<std::size_t>(i)]);
        }
    }

    std::optional<DelayEstimate> estimate() const {
        const CentreFit before = fit(std::vector<double>(elements_.count(), 0.0));
        if (!before.is_determined()) {
            return std::nullopt;
        }
        std::vector<double> best(elements_.count(), 0.0);
        double least = unexplained(before);
        if (stands_out(before)) {
            for (std::vector<double>& values : starts()) {
                if (refine(values)) {
                    if (const double left = unexplained(fit(values)); left < least) {
                        least = left;
                        best = std::move(values);
                    }
                }
            }
        }
        return DelayEstimate{elements_.delays(best), std::sqrt(unexplained(before)), std::sqrt(least)};
    }

private:
    CentreFit fit(const std::vector<double>& values) const {
        return {*delayed(positions_, readouts_.length, elements_.delays(values)), readouts_.axes, data_};
    }

    double noise(const CentreFit& fit) const { return variance_ * fit.freedom(); }

    /// Parts of the energy.
    static double left_by(const CentreFit& fit) { return fit.is_determined() ? fit.left() / fit.energy() : 1; }
    double unexplained(const CentreFit& fit) const {
        return fit.is_determined() ? std::max(0.0, fit.left() - noise(fit)) / fit.energy() : 1;
    }

    /// From noise, and from what noise is known to.
    bool stands_out(const CentreFit& fit) const {
        constexpr double deviations = 6, of_noise = 0.02;
        const double by_chance = variance_ * std::sqrt(fit.freedom());
        return fit.left() - noise(fit) > std::max(deviations * by_chance, of_noise * noise(fit));
    }

    /// Delays that all axes have in common, at which less is left than around them: the few best.
    std::vector<std::vector<double>> starts() const {
        constexpr int per_cycle = 8, first = -per_cycle / 2, count = 5 * per_cycle / 2 + 1;
        const auto values_at = [&](int i) {
            GradientDelays delays;
            delays.samples.fill(readouts_.cycle * (first + i) / per_cycle);
            return elements_.values(delays);
        };
        std::vector<double> left(count);
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < count; ++i) {
            left[static_cast<std::size_t>(i)] = unexplained(fit(values_at(i)));
        }
        std::vector<int> minima;
        for (int i = 1; i + 1 < count; ++i) {
            const auto at = static_cast<std::size_t>(i);
            if (left[at] <= left[at - 1] && left[at] <= left[at + 1]) {
                minima.push_back(i);
            }
        }
        constexpr std::size_t most = 3;
        std::ranges::sort(minima, {}, [&](int i) { return left[static_cast<std::size_t>(i)]; });
        minima.resize(std::min(minima.size(), most));
        std::vector<std::vector<double>> starts;
        std::ranges::transform(minima, std::back_inserter(starts), values_at);
        return starts;
    }

    /// How positions go on from sample to sample, with delays.
    Trajectory steps(const std::vector<double>& values) const {
        constexpr double near = 0.01;  // samples
        const auto moved = [&](double by) {
            GradientDelays delays = elements_.delays(values);
            for (double& delay : delays.samples) {
                delay += by;
            }
            return delayed(positions_, readouts_.length, delays);
        };
        const auto later = moved(-near), earlier = moved(near);
        Trajectory steps;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (std::size_t m = 0; m < later->k[axis].size(); ++m) {
                steps.k[axis].push_back((later->k[axis][m] - earlier->k[axis][m]) / (2 * near));
            }
        }
        return steps;
    }

    std::optional<GaussNewtonStep> step(const std::vector<double>& values) const {
        const CentreFit here = fit(values);
        if (!here.is_determined()) {
            return std::nullopt;
        }
        std::vector<std::vector<cfloat>> columns;
        for (const Trajectory& change : elements_.changes(steps(values))) {
            columns.push_back(as_list(here.unexplained_change(change)));
        }
        const std::vector<double> weights(here.inside().size(), 1.0);
        return gauss_newton_step(columns, as_list(here.rest()), weights);
    }

    static std::vector<cfloat> as_list(const Eigen::MatrixXcd& values) {
        std::vector<cfloat> list;
        list.reserve(static_cast<std::size_t>(values.size()));
        for (Index i = 0; i < values.size(); ++i) {
            list.emplace_back(values.data()[i]);
        }
        return list;
    }

    /// @return false where the data do not tell the values
    bool refine(std::vector<double>& values) const {
        constexpr double at_rest = 0.005;  // samples
        constexpr double uncertain = 0.1;  // of a cycle per FOV
        const auto last =
            descend({[this](const std::vector<double>& at) { return left_by(fit(at)); },
                     [this](const std::vector<double>& at) { return step(at); }, readouts_.cycle / 4, at_rest},
                    values);
        return last && std::ranges::max(last->deviations) < uncertain * readouts_.cycle;
    }

    const CentreOutReadouts& readouts_;
    const Trajectory& positions_;
    DelayElements elements_;
    double variance_;
    Eigen::MatrixXcd data_;  ///< [sample coil]
};

}  // namespace

std::optional<DelayEstimate> estimate_centre_out_delays(const CentreOutReadouts& readouts, const Trajectory& positions,
                                                        std::span<const cfloat> kspace, double noise_sigma) {
    return CentreOut(readouts, positions, kspace, noise_sigma).estimate();
}

bool are_the_reason(const DelayEstimate& delays) {
    constexpr double worth_a_word = 0.0015, explained = 0.45;
    return delays.disagreement_before >= worth_a_word &&
           delays.disagreement_after <= explained * delays.disagreement_before;
}

}  // namespace recon
