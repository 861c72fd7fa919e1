#include "data/simulation/phantoms/rounded_ellipsoid.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace recon {
namespace {

using Eigen::MatrixXd;
/// Of one to three dimensions.
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

/// Beyond this many standard deviations an edge is not felt: the normal distribution is 3e-7 there.
constexpr double edge_reach = 5;
/// Least radius of curvature for the rule across the surface, which is then good to 1e-6.
constexpr double blunt = 5;

double normal_distribution(double x) {
    if (std::abs(x) > 6) {
        return x > 0 ? 1 : 0;  // to 1e-9
    }
    return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

double weight_of_interval(double first, double last) { return normal_distribution(last) - normal_distribution(first); }

template <int count>
struct Rule {
    std::array<double, count> node;
    std::array<double, count> weight;
};

/// Gauss' rule for a weight of integral `integral` whose orthogonal polynomials obey a recurrence with these
/// coefficients, from the eigenvectors of its Jacobi matrix [Golub 1969].
template <int count, class Coefficient>
Rule<count> gauss_rule(double integral, Coefficient&& coefficient) {
    MatrixXd jacobi = MatrixXd::Zero(count, count);
    for (int i = 1; i < count; ++i) {
        jacobi(i, i - 1) = jacobi(i - 1, i) = coefficient(static_cast<double>(i));
    }
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(jacobi);
    Rule<count> rule{};
    for (int i = 0; i < count; ++i) {
        rule.node[i] = solver.eigenvalues()(i);
        rule.weight[i] = integral * solver.eigenvectors()(0, i) * solver.eigenvectors()(0, i);
    }
    return rule;
}

/// For the standard normal density.
const Rule<8>& hermite_rule() {
    static const Rule<8> rule = gauss_rule<8>(1, [](double i) { return std::sqrt(i); });
    return rule;
}

/// For -1 to 1.
const Rule<24>& legendre_rule() {
    static const Rule<24> rule = gauss_rule<24>(2, [](double i) { return i / std::sqrt(4 * i * i - 1); });
    return rule;
}

/// Of the axes from the first, the shortest, to `last`, all `scale` times as long: on the section at v = s sin t across
/// the longest one, s its length, the others are cos t times as long, and dv = s cos t dt. As functions of t the
/// sections are smooth up to the ends, which as functions of v they are not. For thin or pointed ellipsoids.
double weight_of_sections(const Vector& semi_axes, const Vector& r, Index last, double scale) {
    const double length = scale * semi_axes[last], place = r[last];
    if (last == 0) {
        return weight_of_interval(-length - place, length - place);
    }
    const double low = std::max(-1.0, (place - edge_reach) / length);
    const double high = std::min(1.0, (place + edge_reach) / length);
    if (low >= high) {
        return 0;
    }
    const double from = std::asin(low), to = std::asin(high);
    const auto& rule = legendre_rule();
    double sum = 0;
    for (std::size_t i = 0; i < rule.node.size(); ++i) {
        const double t = 0.5 * (to + from) + 0.5 * (to - from) * rule.node[i];
        const double away = length * std::sin(t) - place;
        sum += rule.weight[i] * std::cos(t) * std::exp(-0.5 * away * away) *
               weight_of_sections(semi_axes, r, last - 1, scale * std::cos(t));
    }
    return sum * 0.5 * (to - from) * length / std::sqrt(2 * pi);
}

/// Along the surface's normal a line meets the ellipsoid in an interval, whose Gaussian weight is a difference of two
/// normal distributions. Across it that varies slowly where the surface is curved little, and a Gauss-Hermite rule
/// integrates it.
/// @param level  diagonal of M
double weight_of_lines(const Vector& level, const Vector& r) {
    const Vector normal = level.cwiseProduct(r).normalized();
    const Matrix basis = Eigen::HouseholderQR<Matrix>(normal).householderQ();  // the others are across it
    const double a = normal.dot(level.cwiseProduct(normal));
    const auto weight_of_line = [&](const Vector& z) {
        const double b = normal.dot(level.cwiseProduct(z)), c = z.dot(level.cwiseProduct(z)) - 1;
        const double discriminant = b * b - a * c;
        if (discriminant <= 0) {
            return 0.0;
        }
        const double root = std::sqrt(discriminant);
        return weight_of_interval((-root - b) / a, (root - b) / a);
    };
    if (r.size() == 1) {
        return weight_of_line(r);
    }
    const auto& rule = hermite_rule();
    double sum = 0;
    for (std::size_t i = 0; i < rule.node.size(); ++i) {
        const Vector first = r + rule.node[i] * basis.col(1);
        if (r.size() == 2) {
            sum += rule.weight[i] * weight_of_line(first);
            continue;
        }
        for (std::size_t j = 0; j < rule.node.size(); ++j) {
            sum += rule.weight[i] * rule.weight[j] * weight_of_line(first + rule.node[j] * basis.col(2));
        }
    }
    return sum;
}

}  // namespace

RoundedEllipsoid::RoundedEllipsoid(int dimension, const std::array<PerAxis<double>, 3>& level) : dimension_(dimension) {
    Matrix m(dimension, dimension);
    for (int row = 0; row < dimension; ++row) {
        for (int column = 0; column < dimension; ++column) {
            m(row, column) = level[row][column];
        }
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(m);
    for (int i = 0; i < dimension; ++i) {
        semi_axes_[i] = 1 / std::sqrt(solver.eigenvalues()(dimension - 1 - i));
        for (int row = 0; row < dimension; ++row) {
            directions_[i][row] = solver.eigenvectors()(row, dimension - 1 - i);
        }
    }
}

double RoundedEllipsoid::value(const PerAxis<double>& r) const {
    Vector place(dimension_), semi_axes(dimension_);
    for (int i = 0; i < dimension_; ++i) {
        semi_axes[i] = semi_axes_[i];
        place[i] = directions_[i][0] * r[0] + directions_[i][1] * r[1] + directions_[i][2] * r[2];
    }
    // A point at level^(1/2) = t is at least |t - 1| shortest semi-axes away from the surface.
    const double shortest = semi_axes[0], longest = semi_axes[dimension_ - 1];
    const double distance = (place.cwiseQuotient(semi_axes).norm() - 1) * shortest;
    if (distance <= -edge_reach) {  // as at the centre of every blunt one
        return 1;
    }
    if (distance > edge_reach) {
        return 0;
    }
    return shortest * shortest / longest >= blunt ? weight_of_lines(semi_axes.cwiseInverse().cwiseAbs2(), place)
                                                  : weight_of_sections(semi_axes, place, dimension_ - 1, 1);
}

}  // namespace recon
