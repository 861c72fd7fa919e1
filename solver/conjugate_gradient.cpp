#include "solver/conjugate_gradient.hpp"

#include <cmath>
#include <optional>

#include "core/backend.hpp"
#include "core/error.hpp"

namespace recon {
namespace {

/// r = b - A x
void residual(const LinearOperator& a, ConstArrayView b, ConstArrayView x, ArrayView r) {
    a.forward(x, r);
    a.backend().axpby(1, b, -1, r);
}

/// The first residuals of a run, normalised, to which later ones are kept orthogonal (docs/decisions/0003).
class GuardVectors {
public:
    GuardVectors(Backend& backend, const Shape& shape, Precision precision, int limit) {
        if (limit > 0) {
            vectors_.emplace(backend, shape.with_axis("guard", limit), precision);
            parts_.emplace(backend, Shape{{"guard", limit}}, Precision::double_);
        }
    }

    void keep_if_early(ConstArrayView r, double r_norm) {
        if (vectors_ && count_ < parts_->size() && r_norm > 0) {
            r.backend().copy(r, vectors_->slice(count_));
            r.backend().scale(1 / r_norm, vectors_->slice(count_));
            ++count_;
        }
    }
    void remove_from(ArrayView r) {
        if (count_ > 0) {
            const ConstArrayView vectors = vectors_->view().slices(0, count_);
            const ArrayView parts = parts_->view().slices(0, count_);
            r.backend().dots(vectors, r, parts);
            r.backend().scale(-1, parts);
            r.backend().add_combination(parts, vectors, r);
        }
    }

private:
    std::optional<Array> vectors_;  ///< [... guard]
    std::optional<Array> parts_;    ///< [guard]
    Index count_ = 0;
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

    Array r_dot_r_and_p_dot_q(backend, {{"scalar", 2}}, Precision::double_);
    const ArrayView r_dot_r_there = r_dot_r_and_p_dot_q.view().slices(0, 1);
    const ArrayView p_dot_q_there = r_dot_r_and_p_dot_q.view().slices(1, 1);
    Array alpha(backend, r_dot_r_there.shape(), Precision::double_);

    residual(a, b, x, r);
    backend.copy(r, p);
    backend.dots(r, r, r_dot_r_there);
    double r_dot_r = download<double>(r_dot_r_there).front().real();
    GuardVectors guards(backend, a.domain(), a.precision(), options.guard_vectors);
    guards.keep_if_early(r, std::sqrt(r_dot_r));
    report.stopped_by = "iterations";
    while (report.iterations < options.iterations) {
        a.forward(p, q);
        backend.dots(p, q, p_dot_q_there);
        backend.divide(r_dot_r_there, p_dot_q_there, alpha);  // step length [Hestenes 1952, eq. 3:1b]; 0 in a breakdown
        backend.add_combination(alpha, p, x);
        backend.scale(-1, alpha);
        backend.add_combination(alpha, q, r);
        guards.remove_from(r);
        backend.dots(r, r, r_dot_r_there);
        const std::vector<cdouble> scalars = download<double>(r_dot_r_and_p_dot_q);  // the one wait of an iteration
        const double p_dot_q = scalars[1].real();
        if (!std::isfinite(p_dot_q)) {
            throw Error("conjugate gradients: iteration " + std::to_string(report.iterations + 1) +
                        " met numbers that are not finite; check the scan for extreme values, or use "
                        "--precision double");
        }
        if (p_dot_q <= 0) {  // rounding has used up the positive part of the spectrum, or r is zero
            report.stopped_by = "breakdown";
            break;
        }
        const double r_dot_r_before = r_dot_r;
        r_dot_r = scalars[0].real();
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
    residual(a, b, x, r);
    report.true_residual = norm(r) / b_norm;
    return report;
}

}  // namespace recon
