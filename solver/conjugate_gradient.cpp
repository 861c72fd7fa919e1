#include "solver/conjugate_gradient.hpp"

#include <cmath>

#include "core/backend.hpp"
#include "core/error.hpp"

namespace recon {
namespace {

/// r = b - A x; returns |r|^2.
double residual(const LinearOperator& a, ConstArrayView b, ConstArrayView x, ArrayView r) {
    a.forward(x, r);
    a.backend().axpby(1, b, -1, r);
    return a.backend().dot(r, r).real();
}

/// The first residuals of a run, normalised, to which later ones are kept orthogonal (docs/decisions/0003).
class GuardVectors {
public:
    explicit GuardVectors(int limit) : limit_(limit) {}

    void keep_if_early(ConstArrayView r, double r_norm) {
        if (static_cast<int>(vectors_.size()) < limit_ && r_norm > 0) {
            Array& kept = vectors_.emplace_back(r.backend(), r.shape(), r.precision());
            r.backend().copy(r, kept);
            r.backend().scale(1 / r_norm, kept);
        }
    }
    void remove_from(ArrayView r) const {
        for (const Array& v : vectors_) {
            r.backend().axpby(-r.backend().dot(v, r), v, 1, r);
        }
    }

private:
    int limit_;
    std::vector<Array> vectors_;
};

}  // namespace

CgReport solve_cg(const LinearOperator& a, ConstArrayView b, ArrayView x, const CgOptions& options,
                  IterationObserver* observer) {
    Backend& backend = a.backend();
    CgReport report;
    const double b_norm = norm(b);
    if (b_norm == 0) {
        backend.fill(0, x);
        report.stopped_by = "zero right-hand side";
        return report;
    }
    Array r(backend, a.domain(), a.precision());
    Array p(backend, a.domain(), a.precision());
    Array q(backend, a.domain(), a.precision());

    double r_dot_r = residual(a, b, x, r);
    backend.copy(r, p);
    GuardVectors guards(options.guard_vectors);
    guards.keep_if_early(r, std::sqrt(r_dot_r));
    report.stopped_by = "iterations";
    while (report.iterations < options.iterations) {
        a.forward(p, q);
        const double p_dot_q = backend.dot(p, q).real();
        if (!std::isfinite(p_dot_q)) {
            throw Error("conjugate gradients: iteration " + std::to_string(report.iterations + 1) +
                        " met numbers that are not finite; check the scan for extreme values, or use "
                        "--precision double");
        }
        if (p_dot_q <= 0) {  // rounding has used up the positive part of the spectrum, or r is zero
            report.stopped_by = "breakdown";
            break;
        }
        const double alpha = r_dot_r / p_dot_q;  // step length [Hestenes 1952, eq. 3:1b]
        backend.axpby(alpha, p, 1, x);
        backend.axpby(-alpha, q, 1, r);
        guards.remove_from(r);
        const double r_dot_r_before = r_dot_r;
        r_dot_r = backend.dot(r, r).real();
        guards.keep_if_early(r, std::sqrt(r_dot_r));
        ++report.iterations;
        report.residuals.push_back(std::sqrt(r_dot_r) / b_norm);
        if (observer && !observer->iteration_done(report.iterations, report.residuals.back(), x)) {
            report.stopped_by = "observer";
            break;
        }
        if (report.residuals.back() <= options.stop) {
            report.stopped_by = "residual";
            break;
        }
        backend.axpby(1, r, r_dot_r / r_dot_r_before, p);  // p = r + beta p [Hestenes 1952, eq. 3:1e, f]
    }
    report.true_residual = std::sqrt(residual(a, b, x, r)) / b_norm;
    return report;
}

}  // namespace recon
