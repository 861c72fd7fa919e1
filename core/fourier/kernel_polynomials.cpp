#include "core/fourier/kernel_polynomials.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace recon {
namespace {

/// Coefficients of 1, t, t^2, ... of the interpolant at Chebyshev points of a piece of the kernel.
std::vector<double> interpolant(const GriddingKernel& kernel, int point, int degree) {
    const int count = degree + 1;
    std::vector<double> chebyshev(count);
    for (int i = 0; i < count; ++i) {
        const double angle = pi * (i + 0.5) / count;
        const double value = kernel.value(point + 0.5 * (std::cos(angle) + 1 - kernel.width));
        for (int n = 0; n < count; ++n) {
            chebyshev[n] += (n == 0 ? 1.0 : 2.0) / count * value * std::cos(n * angle);
        }
    }
    std::vector<double> power(count);
    std::vector<double> before(count);  // coefficients of T_(n-1), then T_n
    std::vector<double> now(count);
    now[0] = 1;
    for (int n = 0; n < count; ++n) {
        for (int p = 0; p < count; ++p) {
            power[p] += chebyshev[n] * now[p];
        }
        std::vector<double> next(count);  // T_(n+1) = 2 t T_n - T_(n-1), and T_1 = t
        for (int p = 0; p < count; ++p) {
            next[p] = (p > 0 ? (n == 0 ? 1.0 : 2.0) * now[p - 1] : 0.0) - before[p];
        }
        before = std::exchange(now, next);
    }
    return power;
}

/// Where a fit is judged.
struct Checks {
    static constexpr int position_count = 33;

    static double position(int i) {
        // The ends stay inside: the kernel jumps at its edge.
        return (2.0 * i / (position_count - 1) - 1) * (1 - 1e-12);
    }

    explicit Checks(const GriddingKernel& kernel) {
        for (int point = 0; point < kernel.width; ++point) {
            for (int i = 0; i < position_count; ++i) {
                exact.push_back(kernel.value(point + 0.5 * (position(i) + 1 - kernel.width)));
            }
        }
    }

    double largest_error(const KernelPolynomials& polynomials) const {
        double largest = 0;
        for (int point = 0; point < polynomials.width; ++point) {
            for (int i = 0; i < position_count; ++i) {
                const double value = polynomials.value(point, position(i));
                largest = std::max(largest, std::abs(value - exact[point * position_count + i]));
            }
        }
        return largest;
    }

    std::vector<double> exact;
};

KernelPolynomials fit_of_degree(const GriddingKernel& kernel, int degree) {
    KernelPolynomials fit{kernel.width, degree, std::vector<double>((degree + 1) * kernel.width)};
    for (int point = 0; point < kernel.width; ++point) {
        const std::vector<double> power = interpolant(kernel, point, degree);
        for (int p = 0; p <= degree; ++p) {
            fit.coefficient[p * kernel.width + point] = power[p];
        }
    }
    return fit;
}

}  // namespace

KernelPolynomials KernelPolynomials::fit(const GriddingKernel& kernel, double error) {
    const Checks checks(kernel);
    // No kernel of this family needs less for what its aliasing asks.
    const int first_degree = 2 + kernel.width / 4;
    KernelPolynomials best = fit_of_degree(kernel, first_degree);
    double best_error = checks.largest_error(best);
    for (int degree = first_degree + 1; degree <= max_degree && best_error > error; ++degree) {
        KernelPolynomials candidate = fit_of_degree(kernel, degree);
        const double candidate_error = checks.largest_error(candidate);
        if (candidate_error < best_error) {
            best = std::move(candidate);
            best_error = candidate_error;
        }
    }
    return best;
}

double KernelPolynomials::value(int point, double t) const {
    double sum = 0;
    for (int p = degree; p >= 0; --p) {
        sum = sum * t + coefficient[p * width + point];
    }
    return sum;
}

double harmless_value_error(const GriddingKernel& kernel) {
    const double edge = 1 / (2 * kernel.oversampling);
    return 0.1 * kernel.mean_aliasing() * kernel.transform(edge);
}

}  // namespace recon
