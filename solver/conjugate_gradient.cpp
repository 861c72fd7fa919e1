#include "solver/conjugate_gradient.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"
#include "solver/guard_vectors.hpp"

namespace recon {
namespace {

/// r = b - A x
void residual(const LinearOperator& a, ConstArrayView b, ConstArrayView x, ArrayView r) {
    a.forward(x, r);
    a.backend().axpby(1, b, -1, r);
}

}  // namespace

/// A run with a right-hand side that is not zero.
class ConjugateGradients::Iteration {
public:
    Iteration(const LinearOperator& a, const LinearOperator* preconditioner, int guard_vectors, ConstArrayView b,
              ArrayView x, double b_norm)
        : a_(a),
          preconditioner_(preconditioner),
          b_(b),
          x_(x),
          b_norm_(b_norm),
          r_(a.backend(), a.domain(), a.precision()),
          p_(a.backend(), a.domain(), a.precision()),
          q_(a.backend(), a.domain(), a.precision()),
          scalars_(a.backend(), {{"scalar", 3}}, Precision::double_),
          alpha_(a.backend(), {{"scalar", 1}}, Precision::double_),
          guards_(a.backend(), a.domain(), a.precision(), guard_vectors,
                  preconditioner ? GuardVectors::Product::preconditioned : GuardVectors::Product::plain) {
        if (preconditioner_) {
            preconditioned_.emplace(a.backend(), a.domain(), a.precision());
        }
        backend().fill(0, scalars_);
        if (norm(x_) == 0) {
            backend().copy(b_, r_);
        } else {
            residual(a_, b_, x_, r_);
        }
        precondition();
        backend().copy(z(), p_);
        residual_dots();
        r_dot_z_ = download<double>(r_dot_z_there()).front().real();
        guards_.keep_if_early(r_, z(), r_dot_z_);
    }

    Step step() {
        if (turns_) {
            backend().axpby(1, z(), beta_, p_);  // p = z + beta p [Hestenes 1952, eq. 3:1e, f]
            turns_ = false;
        }
        a_.forward(p_, q_);
        backend().dots(p_, q_, p_dot_q_there());
        // step length [Hestenes 1952, eq. 3:1b]; 0 in a breakdown
        backend().divide(r_dot_z_there(), p_dot_q_there(), alpha_);
        backend().add_combination(alpha_, p_, x_);
        backend().scale(-1, alpha_);
        backend().add_combination(alpha_, q_, r_);
        guards_.remove_from(r_);
        precondition();
        residual_dots();
        std::array<cdouble, 3> scalars;
        download(scalars_, scalars);  // the one wait of an iteration
        const double p_dot_q = scalars[1].real();
        if (!std::isfinite(p_dot_q)) {
            throw InputError("conjugate gradients: iteration " + std::to_string(iterations_ + 1) +
                             " met numbers that are not finite; check the scan for extreme values, and scale data that "
                             "are all huge or tiny");
        }
        if (p_dot_q <= 0 || r_dot_z_ <= 0) {  // rounding has used up the positive part of the spectrum, or r is zero
            return {.stopped = StopReason::breakdown};
        }
        const double gain = r_dot_z_ * r_dot_z_ / p_dot_q;
        const double r_dot_z_before = r_dot_z_;
        r_dot_z_ = scalars[0].real();
        guards_.keep_if_early(r_, z(), r_dot_z_);
        beta_ = r_dot_z_ / r_dot_z_before;
        turns_ = true;
        ++iterations_;
        return {.residual = std::sqrt(scalars[preconditioner_ ? 2 : 0].real()) / b_norm_, .energy_gain = gain};
    }

    void visit(Archive& archive) {
        archive.array("cg/x", x_);
        archive.array("cg/r", r_);
        archive.array("cg/p", p_);
        if (preconditioned_) {
            archive.array("cg/z", *preconditioned_);
        }
        archive.array("cg/scalars", scalars_);
        archive.number("cg/r_dot_z", r_dot_z_);
        archive.number("cg/beta", beta_);
        archive.count("cg/turns", turns_);
        archive.count("cg/iterations", iterations_);
        guards_.visit(archive);
    }

    Closing close() {
        residual(a_, b_, x_, r_);
        const double true_residual = norm(r_) / b_norm_;
        return {true_residual, backend().dot(x_, b_).real() + backend().dot(x_, r_).real()};
    }

private:
    Backend& backend() const { return a_.backend(); }
    ArrayView z() { return preconditioned_ ? preconditioned_->view() : r_.view(); }
    ArrayView r_dot_z_there() { return scalars_.view().slices(0, 1); }
    ArrayView p_dot_q_there() { return scalars_.view().slices(1, 1); }
    ArrayView r_dot_r_there() { return scalars_.view().slices(2, 1); }

    void precondition() {
        if (preconditioner_) {
            preconditioner_->forward(r_, z());
        }
    }
    void residual_dots() {
        backend().dots(r_, z(), r_dot_z_there());
        if (preconditioner_) {
            backend().dots(r_, r_, r_dot_r_there());
        }
    }

    const LinearOperator& a_;
    const LinearOperator* preconditioner_;
    ConstArrayView b_;
    ArrayView x_;
    double b_norm_;
    Array r_;
    Array p_;
    Array q_;
    std::optional<Array> preconditioned_;
    Array scalars_;  ///< r^H z, p^H q, r^H r of the last step, on the device
    Array alpha_;
    GuardVectors guards_;
    double r_dot_z_ = 0;
    double beta_ = 0;
    bool turns_ = false;  ///< whether p is still that of the last step
    int iterations_ = 0;
};

ConjugateGradients::ConjugateGradients(const LinearOperator& a, const LinearOperator* preconditioner, int guard_vectors)
    : a_(a), preconditioner_(preconditioner), guard_vectors_(guard_vectors) {}

ConjugateGradients::~ConjugateGradients() = default;

void ConjugateGradients::start(ConstArrayView b, ArrayView x) {
    iteration_.reset();  // the memory of the last run first
    const double b_norm = norm(b);
    if (b_norm == 0) {
        a_.backend().fill(0, x);
        return;
    }
    iteration_ = std::make_unique<Iteration>(a_, preconditioner_, guard_vectors_, b, x, b_norm);
}

Step ConjugateGradients::step() { return iteration_ ? iteration_->step() : Step{.stopped = StopReason::zero_data}; }

void ConjugateGradients::visit(Archive& archive) {
    if (iteration_) {
        iteration_->visit(archive);
    }
}

ConjugateGradients::Closing ConjugateGradients::close() {
    const Closing closing = iteration_ ? iteration_->close() : Closing{};
    iteration_.reset();
    return closing;
}

CgReport solve_cg(const LinearOperator& a, ConstArrayView b, ArrayView x, const CgOptions& options,
                  IterationObserver* observer, const LinearOperator* preconditioner) {
    CgReport report;
    SolutionKeeper* const keeper = observer != nullptr ? observer->keeper() : nullptr;
    const SolutionKeeper::Visit result = [&](Archive& archive) {
        archive.array("cg/x", x);
        visit(archive, report);
    };
    if (keeper != nullptr && keeper->begin(result)) {
        return report;
    }
    ConjugateGradients solver(a, preconditioner, options.guard_vectors);
    StopRule rule({options.iterations, options.stop, options.energy_stop, options.size_stop}, observer);
    solver.start(b, x);
    if (keeper != nullptr) {
        keeper->go_on([&](Archive& archive) {
            solver.visit(archive);
            rule.visit(archive);
        });
    }
    report.stopped_by = run(solver, rule, x);
    report.iterations = rule.iterations();
    report.residuals = rule.residuals();
    report.growth_after_rest = rule.growth_after_rest();
    if (options.closes) {
        const auto [true_residual, energy] = solver.close();
        report.true_residual = true_residual;
        report.energy = energy;
    } else {
        report.true_residual = report.residuals.empty() ? 0 : report.residuals.back();
    }
    if (keeper != nullptr) {
        keeper->end(result);
    }
    return report;
}

}  // namespace recon
