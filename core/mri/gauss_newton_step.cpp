#include "core/mri/gauss_newton_step.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace recon {

std::optional<GaussNewtonStep> gauss_newton_step(const std::vector<std::vector<cfloat>>& changes,
                                                 const std::vector<cfloat>& rest, const std::vector<double>& weights) {
    const Index count = std::ssize(changes);
    Eigen::MatrixXd square = Eigen::MatrixXd::Zero(count, count), spread = square;
    Eigen::VectorXd right = Eigen::VectorXd::Zero(count);
    double energy = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const double weight = weights[i % weights.size()];
        energy += std::norm(cdouble(rest[i]));
        for (Index row = 0; row < count; ++row) {
            const cdouble change = std::conj(cdouble(changes[static_cast<std::size_t>(row)][i]));
            right[row] += (change * cdouble(rest[i])).real();
            for (Index column = 0; column <= row; ++column) {
                const double product = (change * cdouble(changes[static_cast<std::size_t>(column)][i])).real();
                square(row, column) += product;
                spread(row, column) += weight * product;
            }
        }
    }
    square = square.selfadjointView<Eigen::Lower>();
    spread = spread.selfadjointView<Eigen::Lower>();
    const double coils = static_cast<double>(rest.size()) / static_cast<double>(weights.size());
    const double variance = energy / (coils * std::accumulate(weights.begin(), weights.end(), 0.0));  // of a sample
    const Eigen::LDLT<Eigen::MatrixXd> solver(square);
    constexpr double separable = 1e-6;
    if (!(solver.vectorD().minCoeff() > separable * square.diagonal().maxCoeff())) {
        return std::nullopt;
    }
    const Eigen::VectorXd values = solver.solve(right);
    const Eigen::MatrixXd inverse = solver.solve(Eigen::MatrixXd::Identity(count, count));
    const Eigen::MatrixXd covariance = inverse * spread * inverse * (variance / 2);
    GaussNewtonStep step;
    for (Index i = 0; i < count; ++i) {
        step.values.push_back(values[i]);
        step.deviations.push_back(std::sqrt(std::max(0.0, covariance(i, i))));
    }
    return step;
}

std::optional<GaussNewtonStep> descend(const GaussNewtonProblem& problem, std::vector<double>& values) {
    constexpr int most_rounds = 8;
    constexpr double least_part = 0.2;
    std::optional<GaussNewtonStep> step;
    double left = problem.left_by(values);
    for (int round = 0; round < most_rounds; ++round) {
        step = problem.step_from(values);
        if (!step) {
            return std::nullopt;
        }
        double largest = 0;
        bool is_better = false;
        for (double part = 1; part > least_part && !is_better; part /= 2) {
            std::vector<double> next = values;
            largest = 0;
            for (std::size_t i = 0; i < next.size(); ++i) {
                const double by = part * std::clamp(step->values[i], -problem.largest_step, problem.largest_step);
                next[i] += by;
                largest = std::max(largest, std::abs(by));
            }
            const double left_then = problem.left_by(next);
            is_better = left_then < left;
            if (is_better) {
                left = left_then;
                values = std::move(next);
            }
        }
        if (!is_better || largest < problem.at_rest) {
            break;
        }
    }
    return step;
}

}  // namespace recon
