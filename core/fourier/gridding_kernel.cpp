#include "core/fourier/gridding_kernel.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"

namespace recon {
namespace {

/// Images of the band beyond these hardly count.
constexpr int alias_count = 3;

/// Of a symmetric tridiagonal matrix, by inverse iteration from ones.
Eigen::VectorXd eigenvector_of(double eigenvalue, const Eigen::VectorXd& diagonal, const Eigen::VectorXd& beside) {
    constexpr int iterations = 3;
    const Index count = diagonal.size();
    const double shift = eigenvalue - 1e-10 * diagonal.cwiseAbs().maxCoeff();  // below it: no pivot is zero
    Eigen::VectorXd pivot(count), vector = Eigen::VectorXd::Ones(count);
    pivot[0] = diagonal[0] - shift;
    for (Index i = 1; i < count; ++i) {
        pivot[i] = diagonal[i] - shift - beside[i - 1] * beside[i - 1] / pivot[i - 1];
    }
    for (int iteration = 0; iteration < iterations; ++iteration) {
        for (Index i = 1; i < count; ++i) {
            vector[i] -= beside[i - 1] / pivot[i - 1] * vector[i - 1];
        }
        vector[count - 1] /= pivot[count - 1];
        for (Index i = count - 2; i >= 0; --i) {
            vector[i] = (vector[i] - beside[i] * vector[i + 1]) / pivot[i];
        }
        vector.normalize();
    }
    return vector;
}

/// Legendre coefficients of even order of the prolate function of order zero and bandwidth `c`, scaled to 1 at t = 0:
/// the eigenvector of the lowest eigenvalue of a symmetric tridiagonal matrix [Xiao 2001].
std::vector<double> prolate_series(double c) {
    const Index term_count = 20 + static_cast<Index>(c);
    Eigen::VectorXd diagonal(term_count);
    Eigen::VectorXd beside(term_count - 1);
    for (Index i = 0; i < term_count; ++i) {
        const double k = 2.0 * static_cast<double>(i);
        diagonal[i] = k * (k + 1) + (2 * k * (k + 1) - 1) / ((2 * k + 3) * (2 * k - 1)) * c * c;
        if (i + 1 < term_count) {
            beside[i] = (k + 2) * (k + 1) / ((2 * k + 3) * std::sqrt((2 * k + 1) * (2 * k + 5))) * c * c;
        }
    }
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal, beside, Eigen::EigenvaluesOnly);
    const Eigen::VectorXd vector = eigenvector_of(solver.eigenvalues()[0], diagonal, beside);
    std::vector<double> series(term_count);
    for (Index i = 0; i < term_count; ++i) {
        series[i] = vector[i] * std::sqrt(2.0 * static_cast<double>(i) + 0.5);
    }
    return series;
}

/// sum_i series[i] P_2i(t), by the three-term recurrence.
double even_legendre_sum(const std::vector<double>& series, double t) {
    double before = 1;  // P_0
    double now = t;     // P_1
    double sum = series[0];
    for (std::size_t degree = 2; degree < 2 * series.size(); ++degree) {
        const double n = static_cast<double>(degree);
        const double next = ((2 * n - 1) * t * now - (n - 1) * before) / n;
        before = now;
        now = next;
        if (degree % 2 == 0) {
            sum += series[degree / 2] * now;
        }
    }
    return sum;
}

/// Positive nodes of Gauss-Legendre quadrature with an even number of points, and their weights.
void gauss_legendre(int count, std::vector<double>& nodes, std::vector<double>& weights) {
    for (int i = 0; i < count / 2; ++i) {
        double t = std::cos(pi * (i + 0.75) / (count + 0.5));
        double slope = 1;
        for (int newton_step = 0; newton_step < 4; ++newton_step) {  // each doubles the digits, of which there are four
            double before = 1;
            double now = t;
            for (int n = 2; n <= count; ++n) {
                before = std::exchange(now, ((2 * n - 1) * t * now - (n - 1) * before) / n);
            }
            slope = count * (t * now - before) / (t * t - 1);
            t -= now / slope;
        }
        nodes.push_back(t);
        weights.push_back(2 / ((1 - t * t) * slope * slope));
    }
}

}  // namespace

GriddingKernel GriddingKernel::of_width(int width, double oversampling) {
    if (width < min_width || width > max_width || !(oversampling > 1)) {
        throw UsageError(
            fmt::format("gridding kernel: width {} at oversampling {}, expected a width of {} to {} and an "
                        "oversampling above 1",
                        width, oversampling, min_width, max_width));
    }
    GriddingKernel kernel;
    kernel.width = width;
    kernel.oversampling = oversampling;
    // The band |x| <= 1/(2 sigma) must be free of its neighbours, which begin at 1 - 1/(2 sigma): that is the band edge
    // of the prolate function. The small correction minimises the measured aliasing of narrow kernels.
    kernel.beta = pi * width * (1 - 1 / (2 * oversampling)) * (1 - 0.22 / (width * width));
    kernel.legendre_ = prolate_series(kernel.beta);
    const double peak = even_legendre_sum(kernel.legendre_, 0);
    std::ranges::for_each(kernel.legendre_, [&](double& term) { term /= peak; });

    // Gauss-Legendre integrates a bandwidth B to rounding with B / 2 points and a few more.
    const double bandwidth = kernel.beta + pi * width * (alias_count + 0.5);
    gauss_legendre(2 * static_cast<int>(bandwidth / 4 + 10), kernel.node_, kernel.mass_);
    for (std::size_t i = 0; i < kernel.node_.size(); ++i) {
        kernel.mass_[i] *= width * even_legendre_sum(kernel.legendre_, kernel.node_[i]);
        kernel.node_[i] *= 0.5 * width;
    }
    return kernel;
}

GriddingKernel GriddingKernel::for_tolerance(double tolerance, double oversampling) {
    for (int width = min_width; width <= max_width; ++width) {
        GriddingKernel kernel = of_width(width, oversampling);
        if (std::sqrt(3.0) * kernel.mean_aliasing() <= tolerance) {
            return kernel;
        }
    }
    throw UsageError(
        fmt::format("gridding kernel: no width up to {} reaches a tolerance of {} at oversampling {}; ask "
                    "for a larger tolerance or use the exact sums",
                    max_width, tolerance, oversampling));
}

double GriddingKernel::value(double u) const {
    const double t = 2 * u / width;
    return std::abs(t) <= 1 ? even_legendre_sum(legendre_, t) : 0;
}

double GriddingKernel::transform(double x) const {
    double sum = 0;
    for (std::size_t i = 0; i < node_.size(); ++i) {
        sum += mass_[i] * std::cos(2 * pi * node_[i] * x);
    }
    return sum;
}

double GriddingKernel::aliasing(double x) const {
    double sum = 0;
    for (int image = 1; image <= alias_count; ++image) {
        sum += std::abs(transform(x + image)) + std::abs(transform(x - image));
    }
    return sum / transform(x);
}

double GriddingKernel::mean_aliasing() const {
    constexpr int position_count = 16;
    double energy = 0;
    for (int i = 0; i < position_count; ++i) {
        const double s = (i + 0.5) / position_count;  // positions crowd at the edge, where aliasing is largest
        energy += 2 * s / position_count * std::pow(aliasing((1 - s * s) / (2 * oversampling)), 2);
    }
    return std::sqrt(energy);
}

Index next_fft_size(Index minimum) {
    const auto next_smooth = [](Index from, Index step) {
        const auto is_smooth = [](Index n) {
            for (const Index factor : {2, 3, 5}) {
                while (n % factor == 0) {
                    n /= factor;
                }
            }
            return n == 1;
        };
        Index size = (std::max<Index>(from, 1) + step - 1) / step * step;
        while (!is_smooth(size)) {
            size += step;
        }
        return size;
    };
    const Index smallest = next_smooth(minimum, 1);
    const Index divisible = next_smooth(minimum, 8);
    return 20 * divisible <= 21 * smallest ? divisible : smallest;
}

}  // namespace recon
