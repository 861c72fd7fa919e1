#include "core/mri/gauss_newton_step.hpp"

#include <Eigen/Dense>
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

}  // namespace recon
