#include "core/mri/gradients/centre_out_delays.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "core/mri/gauss_newton_step.hpp"
#include "core/mri/gradients/centre_fit.hpp"
#include "core/mri/gradients/delay_elements.hpp"
#include "core/mri/gradients/first_samples.hpp"

namespace recon {
namespace {

class CentreOut {
public:
    CentreOut(const CentreOutReadouts& readouts, const Trajectory& positions, std::span<const cfloat> kspace,
              double noise_sigma)
        : readouts_(readouts),
          positions_(positions),
          inside_(samples_around_centre(positions, readouts.axes)),
          elements_(readouts.axes),
          variance_(noise_sigma * noise_sigma) {
        for (const Index m : inside_) {
            places_.push_back(m % readouts.length);
        }
        const Index count = positions.sample_count();
        data_.resize(count, std::ssize(kspace) / count);
        for (Index i = 0; i < data_.size(); ++i) {
            data_.data()[i] = cdouble(kspace[static_cast<std::size_t>(i)]);
        }
    }

    std::optional<CentreOutEstimate> estimate() const {
        const CentreFit before = fit(std::vector<double>(elements_.count(), 0.0));
        if (!before.is_determined()) {
            return std::nullopt;
        }
        std::vector<double> best(elements_.count(), 0.0);
        double least = unexplained(before);
        CentreOutEstimate estimate;
        if (stands_out(before)) {
            for (std::vector<double>& values : starts()) {
                if (refine(values)) {
                    if (const double left = unexplained(fit(values)); left < least) {
                        least = left;
                        best = std::move(values);
                    }
                }
            }
            estimate = without_wrong_samples(before, fit(best));
        }
        if (estimate.wrong_samples > 0) {
            best.assign(elements_.count(), 0.0);
            least = unexplained(before);
        }
        estimate.delays = {elements_.delays(best), std::sqrt(unexplained(before)), std::sqrt(least)};
        return estimate;
    }

private:
    CentreFit fit(const std::vector<double>& values) const {
        return {*delayed(positions_, readouts_.length, elements_.delays(values)), inside_, readouts_.axes, data_};
    }

    double noise(const CentreFit& fit) const { return variance_ * fit.freedom(); }

    /// Parts of the energy.
    static double left_by(const CentreFit& fit) { return fit.is_determined() ? fit.left() / fit.energy() : 1; }
    double unexplained(const CentreFit& fit) const {
        return fit.is_determined() ? std::max(0.0, fit.left() - noise(fit)) / fit.energy() : 1;
    }

    /// Samples at the beginning of readouts that are wrong, as few as explain what is left, if they explain it as well
    /// as delays do.
    /// @param with_delays  the fit that leaves least of them
    CentreOutEstimate without_wrong_samples(const CentreFit& before, const CentreFit& with_delays) const {
        const Index of_readout = std::ssize(inside_) * readouts_.length / positions_.sample_count();
        const Index most = std::min<Index>(3, of_readout / 3);  // the others tell the image
        if (most < 1) {
            return {};
        }
        CentreOutEstimate result{{}, 1, 0};
        double excess = beyond_noise(before, 1);
        while (!is_explained(excess, before) && result.wrong_samples < most) {
            constexpr double clearly_less = 0.5;
            const double of_more = beyond_noise(before, result.wrong_samples + 1);
            if (of_more > clearly_less * excess) {
                break;
            }
            excess = of_more;
            ++result.wrong_samples;
        }
        constexpr double of_voxels = 4e-4;  // of the amplitude: no fit of a few voxels is better
        constexpr double deviations = 0.7;
        const double tie = result.wrong_samples == 1 ? std::pow(of_voxels, 2) * before.energy() +
                                                           deviations * std::sqrt(variance_ * noise(before))
                                                     : 0;
        const double with_wrong = excess + 2 * static_cast<double>(result.wrong_samples) * of_a_number();
        const double with_late =
            with_delays.left() - noise(with_delays) + static_cast<double>(elements_.count()) * of_a_number();
        if (with_wrong > with_late + tie) {
            return {};
        }
        result.disagreement_without = std::sqrt(std::max(0.0, excess) / before.energy());
        return result;
    }

    /// What a number that is fitted has to explain [Schwarz 1978].
    double of_a_number() const { return variance_ * std::log(static_cast<double>(std::ssize(inside_) * data_.cols())); }

    /// What factors of so many first samples leave.
    double beyond_noise(const CentreFit& fit, Index count) const {
        return left_with_factors(fit, places_, count) - noise(fit) + variance_ * static_cast<double>(count);
    }

    /// Whether what is left is chance, or next to nothing of what was.
    /// @param excess  beyond noise
    bool is_explained(double excess, const CentreFit& before) const {
        constexpr double deviations = 1.5, next_to_nothing = 0.001;
        return excess <= deviations * std::sqrt(variance_ * noise(before)) ||
               excess <= next_to_nothing * (before.left() - noise(before));
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
        const std::vector<double> weights(inside_.size(), 1.0);
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
    std::vector<Index> inside_;  ///< around the centre as positions are
    std::vector<Index> places_;  ///< of these in their readouts
    DelayElements elements_;
    double variance_;
    Eigen::MatrixXcd data_;  ///< [sample coil]
};

constexpr double clear_disagreement = 0.0015, explained_part = 0.45;  // of what disagrees

}  // namespace

std::optional<CentreOutEstimate> estimate_centre_out_delays(const CentreOutReadouts& readouts,
                                                            const Trajectory& positions, std::span<const cfloat> kspace,
                                                            double noise_sigma) {
    return CentreOut(readouts, positions, kspace, noise_sigma).estimate();
}

bool are_the_reason(const DelayEstimate& delays) {
    return delays.disagreement_before >= clear_disagreement &&
           delays.disagreement_after <= explained_part * delays.disagreement_before;
}

bool wrong_samples_are_the_reason(const CentreOutEstimate& estimate) {
    return estimate.wrong_samples > 0 && estimate.delays.disagreement_before >= clear_disagreement &&
           estimate.disagreement_without <= explained_part * estimate.delays.disagreement_before;
}

}  // namespace recon
