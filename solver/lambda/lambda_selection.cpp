#include "solver/lambda/lambda_selection.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

/// Error of a solution's energy, as a part of what its product is compared with: the degrees of freedom are second
/// order in the error of the solution, as the energy is.
constexpr double energy_accuracy = 1e-3;
/// The same where they are first order, and see its square root: misfits, penalties, products with other draws.
constexpr double first_order_accuracy = 1e-5;
/// How often a solution is improved whose misfit turns out smaller than was thought.
constexpr int most_improvements = 5;
/// The misfit by differences is believed while it keeps two digits.
constexpr double digits_kept = 100;
/// Points past a minimum before it is believed to be the one.
constexpr std::size_t points_past_minimum = 3;
/// Standard deviation of the noise that a nonlinear problem's data are perturbed by: about that of their own, so that
/// the difference stands out of the solver's error, and no more [Ramani 2008].
double step_size(const LambdaProblem& problem) {
    constexpr double part_of_data = 1e-2;
    return problem.data.noise_variance ? std::sqrt(*problem.data.noise_variance)
                                       : part_of_data * std::sqrt(problem.data_energy / problem.data.count);
}

class Path {
public:
    Path(const LambdaProblem& problem, const LambdaSearch& search, ArrayView x)
        : problem_(problem),
          search_(search),
          data_(problem.data),
          x_(x),
          scratch_(x.backend(), x.shape(), x.precision()) {
        if (needs_freedom(search.method) && problem.probes.empty()) {
            throw Error("lambda: " + name_of(search.method) + " needs draws of noise");
        }
        last_misfit_ = problem.data_energy;
        if (search.method == LambdaMethod::image) {
            data_.image_gain = image_gain();
        }
        for (const ConstArrayView& probe : problem.probes) {
            responses_.emplace_back(x.backend(), probe.shape(), x.precision());
            x.backend().fill(0, responses_.back());
            if (problem.response == LambdaProblem::Response::nonlinear) {
                steps_.push_back(step_size(problem));
                perturbed_.emplace_back(x.backend(), probe.shape(), x.precision());
                x.backend().copy(problem.right_side, perturbed_.back());
                x.backend().axpby(steps_.back(), probe, 1, perturbed_.back());
            }
        }
    }

    const std::vector<LambdaPoint>& curve() const { return curve_; }
    const DataStatistics& data() const { return data_; }
    int iterations() const { return iterations_; }

    const LambdaPoint& add(double lambda) {
        LambdaPoint point{.lambda = lambda};
        solve_data(point);
        point.image_misfit = weighs_for_image() ? problem_.image_misfit(x_) : point.misfit;
        point.penalty = problem_.penalty(x_);
        if (needs_freedom(search_.method) || !problem_.probes.empty()) {
            for (std::size_t i = 0; i < responses_.size(); ++i) {
                const auto [of_data, of_image] = freedom(i, point);
                const double share = 1.0 / static_cast<double>(responses_.size());
                point.freedom += share * of_data;
                point.image_freedom += share * of_image;
                if (search_.method == LambdaMethod::image) {
                    point.image_noise += share * x_.backend().dot(responses_[i], responses_[i]).real();
                    point.seen_noise += share * image_energy(responses_[i]);
                }
            }
            last_freedom_ = point.freedom;
        }
        iterations_ += point.iterations;
        const auto place = std::lower_bound(curve_.begin(), curve_.end(), lambda,
                                            [](const LambdaPoint& p, double value) { return p.lambda < value; });
        return *curve_.insert(place, point);
    }

private:
    /// Sets misfit and iterations. What the misfit may be wrong by is known only when there is one.
    void solve_data(LambdaPoint& point) {
        const bool linear = problem_.response == LambdaProblem::Response::linear;
        for (int improvement = 0; improvement < most_improvements; ++improvement) {
            const double allowed = linear ? first_order_accuracy * last_misfit_ : 0;
            point.iterations += problem_.solve(point.lambda, problem_.right_side, x_, allowed);
            point.misfit = misfit();
            last_misfit_ = point.misfit;
            if (allowed <= 2 * first_order_accuracy * point.misfit) {
                return;
            }
        }
    }

    double quadratic(ConstArrayView x) {
        problem_.normal.forward(x, scratch_);
        return x.backend().dot(x, scratch_).real();
    }

    double misfit() {
        const double by_difference =
            problem_.data_energy - 2 * x_.backend().dot(problem_.right_side, x_).real() + quadratic(x_);
        const double lost = problem_.misfit_tolerance * problem_.data_energy;
        return by_difference > digits_kept * lost || !problem_.misfit ? std::max(by_difference, lost)
                                                                      : problem_.misfit(x_);
    }

    double image_energy(ConstArrayView x) { return weighs_for_image() ? problem_.image_energy(x) : quadratic(x); }

    /// Of E^H D n, which lies where the samples are.
    double image_gain() {
        double seen = 0, whole = 0;
        for (const ConstArrayView& probe : weighs_for_image() ? problem_.image_probes : problem_.probes) {
            seen += image_energy(probe);
            whole += probe.backend().dot(probe, probe).real();
        }
        return whole > 0 ? seen / whole : 0;
    }

    bool weighs_for_image() const {
        return search_.method == LambdaMethod::image && problem_.image_misfit && !problem_.image_probes.empty();
    }

    /// Traces of d(E x)/dd and of D d(E x)/dd by one probe.
    std::pair<double, double> freedom(std::size_t probe_index, LambdaPoint& point) {
        const ConstArrayView probe = problem_.probes[probe_index];
        const ArrayView response = responses_[probe_index];
        Backend& backend = probe.backend();
        const double lambda = point.lambda;
        const auto of_image = [&](double of_data) {
            return weighs_for_image() ? backend.dot(problem_.image_probes[probe_index], response).real() : of_data;
        };
        if (problem_.response == LambdaProblem::Response::linear) {
            const double accuracy = weighs_for_image() ? first_order_accuracy : energy_accuracy;
            point.iterations += problem_.solve(lambda, probe, response, accuracy * std::max(1.0, last_freedom_));
            const double others = problem_.other_terms ? problem_.other_terms(response) : 0;
            const double of_data = 2 * backend.dot(probe, response).real() - quadratic(response) - others -
                                   lambda * problem_.penalty(response);
            return {of_data, of_image(of_data)};
        }
        backend.copy(x_, response);
        point.iterations += problem_.solve(lambda, perturbed_[probe_index], response, 0);
        backend.axpby(-1 / steps_[probe_index], x_, 1 / steps_[probe_index], response);
        const double of_data = backend.dot(probe, response).real();
        return {of_data, of_image(of_data)};
    }

    const LambdaProblem& problem_;
    const LambdaSearch& search_;
    DataStatistics data_;
    ArrayView x_;
    Array scratch_;
    std::vector<Array> responses_;  ///< to the probes
    std::vector<Array> perturbed_;  ///< nonlinear: b + steps_[i] probe_i
    std::vector<double> steps_;
    std::vector<LambdaPoint> curve_;
    double last_misfit_ = 0;
    double last_freedom_ = 0;
    int iterations_ = 0;
};

/// Whether the downward path has shown enough: the criterion's place is well inside it.
bool goes_on(const std::vector<LambdaPoint>& curve, LambdaMethod method, const DataStatistics& data) {
    if (method == LambdaMethod::discrepancy) {
        return discrepancy(curve.front(), data) > 0;
    }
    if (method == LambdaMethod::lcurve || curve.size() <= points_past_minimum) {
        return true;
    }
    const LambdaVerdict verdict = judge_lambda(curve, method, data);
    return verdict.low < curve[points_past_minimum - 1].lambda * 1.001;
}

}  // namespace

Index lambda_probe_count(Index voxel_count, LambdaMethod method, LambdaProblem::Response response) {
    if (response == LambdaProblem::Response::nonlinear) {
        return needs_freedom(method) ? 1 : 0;
    }
    return !needs_freedom(method) ? 0 : voxel_count < 10000 ? 3 : voxel_count < 300000 ? 2 : 1;
}

LambdaChoice choose_lambda(const LambdaProblem& problem, const LambdaSearch& search, ArrayView x,
                           const LambdaObserver& observer) {
    if (needs_noise_variance(search.method) && !problem.data.noise_variance) {
        throw Error("lambda: " + name_of(search.method) + " needs the noise level, which is not known");
    }
    Path path(problem, search, x);
    const auto add = [&](double lambda) {
        const LambdaPoint& point = path.add(lambda);
        return !observer || observer(point);
    };
    const auto verdict = [&] { return judge_lambda(path.curve(), search.method, path.data()); };
    const double step = std::pow(10.0, 1.0 / search.points_a_decade);

    bool wanted = true;
    for (double lambda = search.first; wanted && lambda >= search.smallest * 0.999; lambda /= step) {
        wanted = add(lambda) && goes_on(path.curve(), search.method, path.data());
    }
    for (double lambda = search.first * step; lambda <= search.largest * 1.001; lambda *= step) {
        const LambdaVerdict now = verdict();
        if (now.is_inside || now.lambda < path.curve().back().lambda || !add(lambda)) {
            break;
        }
    }
    for (int i = 0; i < search.refinements && verdict().is_inside; ++i) {
        const LambdaVerdict now = verdict();
        // Halve the larger of the two gaps beside the best guess, or take the guess itself where it is off the points.
        const auto near = std::min_element(path.curve().begin(), path.curve().end(), [&](const auto& a, const auto& b) {
            return std::abs(std::log(a.lambda / now.lambda)) < std::abs(std::log(b.lambda / now.lambda));
        });
        const double below = near->lambda / now.low, above = now.high / near->lambda;
        const bool guess_is_new = std::abs(std::log(now.lambda / near->lambda)) > 0.1 * std::log(step);
        if (!add(guess_is_new    ? now.lambda
                 : above > below ? near->lambda * std::sqrt(above)
                                 : near->lambda / std::sqrt(below))) {
            break;
        }
    }
    const LambdaVerdict final_verdict = verdict();
    return {final_verdict.lambda, final_verdict.is_inside, path.curve(), path.data(), path.iterations()};
}

}  // namespace recon
