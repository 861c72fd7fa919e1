#include "solver/conjugate_gradient.hpp"

#include <cmath>
#include <optional>

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

/// Iterations over which the energy must have come to rest: single ones stall now and then.
constexpr int energy_window = 4;

/// r = b - A x
void residual(const LinearOperator& a, ConstArrayView b, ConstArrayView x, ArrayView r) {
    a.forward(x, r);
    a.backend().axpby(1, b, -1, r);
}

/// The first residuals r_j of a run, to which later ones are kept orthogonal (docs/decisions/0003): in the inner
/// product of the preconditioner P, in which exact arithmetic would make them so,
///
///     r <- r - sum_j r_j (z_j^H r),    z_j = P r_j,    scaled so that z_j^H r_j = 1.
///
/// Without a preconditioner z_j = r_j, and only one of them is stored.
class GuardVectors {
public:
    enum class Product { plain, preconditioned };

    GuardVectors(Backend& backend, const Shape& shape, Precision precision, int limit, Product product) {
        if (limit > 0) {
            residuals_.emplace(backend, shape.with_axis("guard", limit), precision);
            if (product == Product::preconditioned) {
                directions_.emplace(backend, shape.with_axis("guard", limit), precision);
            }
            parts_.emplace(backend, Shape{{"guard", limit}}, Precision::double_);
        }
    }

    /// @param r_dot_z  r^H P r
    void keep_if_early(ConstArrayView r, ConstArrayView z, double r_dot_z) {
        if (residuals_ && count_ < parts_->size() && r_dot_z > 0) {
            keep(r, r_dot_z, residuals_->slice(count_));
            if (directions_) {
                keep(z, r_dot_z, directions_->slice(count_));
            }
            ++count_;
        }
    }
    void remove_from(ArrayView r) {
        if (count_ > 0) {
            const ArrayView parts = parts_->view().slices(0, count_);
            r.backend().dots((directions_ ? *directions_ : *residuals_).view().slices(0, count_), r, parts);
            r.backend().scale(-1, parts);
            r.backend().add_combination(parts, residuals_->view().slices(0, count_), r);
        }
    }

private:
    static void keep(ConstArrayView vector, double r_dot_z, ArrayView place) {
        vector.backend().copy(vector, place);
        vector.backend().scale(1 / std::sqrt(r_dot_z), place);
    }

    std::optional<Array> residuals_;   ///< [... guard]
    std::optional<Array> directions_;  ///< [... guard], the z_j where they differ from the r_j
    std::optional<Array> parts_;       ///< [guard]
    Index count_ = 0;
};

}  // namespace

Index cg_array_count(const CgOptions& options, bool has_preconditioner) {
    return has_preconditioner ? 4 + 2 * options.guard_vectors : 3 + options.guard_vectors;
}

CgReport solve_cg(const LinearOperator& a, ConstArrayView b, ArrayView x, const CgOptions& options,
                  IterationObserver* observer, const LinearOperator* preconditioner) {
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
    std::optional<Array> preconditioned;
    if (preconditioner) {
        preconditioned.emplace(backend, a.domain(), a.precision());
    }
    const ArrayView z = preconditioned ? preconditioned->view() : r.view();
    const auto precondition = [&] {
        if (preconditioner) {
            preconditioner->forward(r, z);
        }
    };

    Array scalars_there(backend, {{"scalar", 3}}, Precision::double_);
    backend.fill(0, scalars_there);
    const ArrayView r_dot_z_there = scalars_there.view().slices(0, 1);
    const ArrayView p_dot_q_there = scalars_there.view().slices(1, 1);
    const ArrayView r_dot_r_there = scalars_there.view().slices(2, 1);
    Array alpha(backend, r_dot_z_there.shape(), Precision::double_);
    const auto residual_dots = [&] {
        backend.dots(r, z, r_dot_z_there);
        if (preconditioner) {
            backend.dots(r, r, r_dot_r_there);
        }
    };
    const auto r_dot_r_of = [&](const std::vector<cdouble>& scalars) { return scalars[preconditioner ? 2 : 0].real(); };

    residual(a, b, x, r);
    precondition();
    backend.copy(z, p);
    residual_dots();
    double r_dot_z = download<double>(r_dot_z_there).front().real();
    GuardVectors guards(backend, a.domain(), a.precision(), options.guard_vectors,
                        preconditioner ? GuardVectors::Product::preconditioned : GuardVectors::Product::plain);
    guards.keep_if_early(r, z, r_dot_z);
    std::vector<double> gains;  // of energy, in each iteration
    report.stopped_by = "iterations";
    while (report.iterations < options.iterations) {
        a.forward(p, q);
        backend.dots(p, q, p_dot_q_there);
        backend.divide(r_dot_z_there, p_dot_q_there, alpha);  // step length [Hestenes 1952, eq. 3:1b]; 0 in a breakdown
        backend.add_combination(alpha, p, x);
        backend.scale(-1, alpha);
        backend.add_combination(alpha, q, r);
        guards.remove_from(r);
        precondition();
        residual_dots();
        const std::vector<cdouble> scalars = download<double>(scalars_there);  // the one wait of an iteration
        const double p_dot_q = scalars[1].real();
        if (!std::isfinite(p_dot_q)) {
            throw Error("conjugate gradients: iteration " + std::to_string(report.iterations + 1) +
                        " met numbers that are not finite; check the scan for extreme values, or use "
                        "--precision double");
        }
        if (p_dot_q <= 0 || r_dot_z <= 0) {  // rounding has used up the positive part of the spectrum, or r is zero
            report.stopped_by = "breakdown";
            break;
        }
        gains.push_back(r_dot_z * r_dot_z / p_dot_q);
        const double r_dot_z_before = r_dot_z;
        r_dot_z = scalars[0].real();
        guards.keep_if_early(r, z, r_dot_z);
        ++report.iterations;
        report.residuals.push_back(std::sqrt(r_dot_r_of(scalars)) / b_norm);
        if (observer && !observer->iteration_done(report.iterations, report.residuals.back(), x)) {
            report.stopped_by = "observer";
            break;
        }
        if (report.residuals.back() <= options.stop) {
            report.stopped_by = "residual";
            break;
        }
        if (options.energy_stop > 0 && report.iterations >= energy_window) {
            double gain = 0;
            for (int back = 1; back <= energy_window; ++back) {
                gain += gains[gains.size() - static_cast<std::size_t>(back)];
            }
            if (gain < options.energy_stop) {
                report.stopped_by = "energy";
                break;
            }
        }
        backend.axpby(1, z, r_dot_z / r_dot_z_before, p);  // p = z + beta p [Hestenes 1952, eq. 3:1e, f]
    }
    residual(a, b, x, r);
    report.true_residual = norm(r) / b_norm;
    report.energy = backend.dot(x, b).real() + backend.dot(x, r).real();
    return report;
}

}  // namespace recon
