#include "solver/admm.hpp"

#include <algorithm>
#include <cmath>

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr double residual_ratio = 2;        ///< between those of z and of its step, beyond which rho moves
constexpr double least_unbalanced = 1e-5;   ///< a smaller residual counts as this: it may be 0, as before z leaves 0
constexpr double largest_rho_step = 4;      ///< by which it moves at most in one iteration
constexpr int iterations_of_balance = 100;  ///< a rho that never settles would cost the proof of convergence

double ratio(double a, double b) { return a == 0 ? 0 : b == 0 ? 1 : a / b; }

}  // namespace

/// One term with its variables: z, and the multipliers u scaled by 1 / rho.
class Admm::Split {
public:
    explicit Split(const PenaltyTerm& term)
        : term_(term),
          z_(phi().backend(), phi().codomain(), phi().precision()),
          u_(phi().backend(), phi().codomain(), phi().precision()),
          v_(phi().backend(), phi().codomain(), phi().precision()) {
        backend().fill(0, u_);
    }

    const LinearOperator& phi() const { return term_.transform; }
    double rho() const { return term_.coupling; }

    void start(ConstArrayView x) { phi().forward(x, z_); }

    void set_weight(double weight) {
        backend().scale(weight / term_.weight, u_);  // the multipliers rho u are subgradients of weight f
        term_.weight = weight;
    }

    /// weight f(Phi x)
    double value(ConstArrayView x) {
        phi().forward(x, v_);
        return term_.weight * term_.penalty.value(v_);
    }

    /// rhs += rho Phi^H (z - u)
    void add_to_right_hand_side(ArrayView work, ArrayView rhs) {
        backend().copy(z_, v_);
        backend().axpby(-1, u_, 1, v_);
        phi().adjoint(v_, work);
        backend().axpby(rho(), work, 1, rhs);
    }

    /// The updates of z and u at a new x. pull += rho Phi^H u
    void update(ConstArrayView x, double over_relaxation, ArrayView work, ArrayView pull) {
        phi().forward(x, v_);
        const double phi_x_norm = norm(v_);
        backend().axpby(1 - over_relaxation, z_, over_relaxation, v_);
        backend().axpby(1, v_, 1, u_);
        backend().copy(u_, v_);
        term_.penalty.proximal(term_.weight / rho(), v_);
        backend().axpby(-1, v_, 1, u_);

        backend().axpby(1, v_, -1, z_);  // the step of z
        phi().adjoint(z_, work);
        const double step = norm(work);
        phi().adjoint(u_, work);
        step_residual_ = ratio(step, norm(work));
        backend().axpby(rho(), work, 1, pull);

        backend().copy(v_, z_);
        phi().forward(x, v_);
        backend().axpby(-1, z_, 1, v_);
        primal_residual_ = ratio(norm(v_), std::max(phi_x_norm, norm(z_)));
    }

    double primal_residual() const { return primal_residual_; }

    /// A larger rho makes the primal residual smaller, and the steps of z as well, which is slower.
    void balance() {
        const double unbalance =
            std::max(primal_residual_, least_unbalanced) / std::max(step_residual_, least_unbalanced);
        if (unbalance > residual_ratio || unbalance < 1 / residual_ratio) {
            const double step = std::clamp(std::sqrt(unbalance), 1 / largest_rho_step, largest_rho_step);
            term_.coupling *= step;
            backend().scale(1 / step, u_);  // rho u is what stays
        }
    }

    void visit(const std::string& name, Archive& archive) {
        archive.array(name + "/z", z_);
        visit_multipliers(name, archive);
    }
    /// What the next run starts from.
    void visit_multipliers(const std::string& name, Archive& archive) {
        archive.array(name + "/u", u_);
        archive.number(name + "/weight", term_.weight);
        archive.number(name + "/coupling", term_.coupling);
    }

private:
    Backend& backend() const { return phi().backend(); }

    PenaltyTerm term_;
    Array z_;
    Array u_;
    Array v_;
    double primal_residual_ = 0;
    double step_residual_ = 0;
};

/// x -> N x + sum_j rho_j Phi_j^H Phi_j x, with the rho_j of the moment.
class Admm::CoupledSystem final : public LinearOperator {
public:
    CoupledSystem(const LinearOperator& system, const std::vector<Split>& splits)
        : LinearOperator(system.name() + " with couplings", system.backend(), system.domain(), system.codomain(),
                         system.precision()),
          system_(system),
          splits_(splits) {}

private:
    void do_forward(ConstArrayView x, ArrayView y) const override {
        Array product(backend(), codomain(), precision());
        system_.forward(x, y);
        for (const Split& split : splits_) {
            split.phi().normal(x, product);
            backend().axpby(split.rho(), product, 1, y);
        }
    }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    const LinearOperator& system_;
    const std::vector<Split>& splits_;
};

Admm::Admm(const LinearOperator& system, const std::vector<PenaltyTerm>& terms) : system_(system) {
    splits_.reserve(terms.size());
    for (const PenaltyTerm& term : terms) {
        if (!(term.weight > 0 && term.coupling > 0 && std::isfinite(term.weight) && std::isfinite(term.coupling))) {
            throw Error("ADMM: weight " + std::to_string(term.weight) + " and coupling " +
                        std::to_string(term.coupling) + " of " + term.transform.name() + "; expected positive numbers");
        }
        splits_.emplace_back(term);
    }
}

Admm::~Admm() = default;

void Admm::set_weight(std::size_t term, double weight) { splits_.at(term).set_weight(weight); }

/// A run with a right-hand side that is not zero.
struct Admm::Iteration {
    Iteration(const LinearOperator& system, const std::vector<Split>& splits, ConstArrayView right_side,
              ArrayView image)
        : b(right_side),
          x(image),
          coupled(system, splits),
          rhs(system.backend(), system.domain(), system.precision()),
          work(system.backend(), system.domain(), system.precision()) {}

    ConstArrayView b;
    ArrayView x;
    CoupledSystem coupled;
    Array rhs;  ///< of the update of x; after it the pull of the terms, sum_j rho_j Phi_j^H u_j
    Array work;
    double inner_stop = 0;  ///< residual at which conjugate gradients stop
    AdmmReport report;      ///< of the steps so far
};

void Admm::start(ConstArrayView b, ArrayView x) {
    iteration_.reset();  // the memory of the last run first
    if (norm(b) == 0) {
        system_.backend().fill(0, x);
        return;
    }
    iteration_ = std::make_unique<Iteration>(system_, splits_, b, x);
    for (Split& split : splits_) {
        split.start(x);
    }
}

/// @return |b + sum_j rho_j Phi_j^H (z_j - u_j)|
double Admm::update_x(Iteration& now) {
    system_.backend().copy(now.b, now.rhs);
    for (Split& split : splits_) {
        split.add_to_right_hand_side(now.work, now.rhs);
    }
    const double rhs_norm = norm(now.rhs);
    now.report.inner_iterations +=
        solve_cg(now.coupled, now.rhs, now.x,
                 {.iterations = options_.inner_iterations, .stop = now.inner_stop, .guard_vectors = 0})
            .iterations;
    return rhs_norm;
}

Step Admm::step() {
    if (!iteration_) {
        return {.stopped = StopReason::zero_data};
    }
    Backend& backend = system_.backend();
    auto& [b, x, coupled, rhs, work, inner_stop, report] = *iteration_;
    const double rhs_norm = update_x(*iteration_);
    ++report.iterations;
    backend.fill(0, rhs);
    double primal = 0;
    for (Split& split : splits_) {
        split.update(x, options_.over_relaxation, work, rhs);
        primal = std::max(primal, split.primal_residual());
    }
    system_.forward(x, work);
    double objective = backend.dot(x, work).real() / 2 - backend.dot(b, x).real();
    backend.axpby(-1, b, 1, work);
    const double pull_norm = norm(rhs);
    backend.axpby(1, rhs, 1, work);
    const double gradient_norm = norm(work);
    for (Split& split : splits_) {
        objective += split.value(x);
        if (report.iterations <= iterations_of_balance) {
            split.balance();
        }
    }
    if (!std::isfinite(objective)) {
        throw InputError("ADMM: iteration " + std::to_string(report.iterations) +
                         " met numbers that are not finite; check the scan for extreme values, and scale data that are "
                         "all huge or tiny");
    }
    report.primal_residuals.push_back(primal);
    report.dual_residuals.push_back(ratio(gradient_norm, pull_norm));
    report.objectives.push_back(objective);
    inner_stop = 0.1 * ratio(gradient_norm, rhs_norm);
    return {.residual = std::max(primal, report.dual_residuals.back())};
}

void Admm::visit(Archive& archive) {
    if (!iteration_) {
        return;
    }
    AdmmReport& report = iteration_->report;
    archive.array("admm/x", iteration_->x);
    archive.number("admm/inner_stop", iteration_->inner_stop);
    archive.count("admm/iterations", report.iterations);
    archive.count("admm/inner_iterations", report.inner_iterations);
    archive.numbers("admm/primal_residuals", report.primal_residuals);
    archive.numbers("admm/dual_residuals", report.dual_residuals);
    archive.numbers("admm/objectives", report.objectives);
    for (std::size_t i = 0; i < splits_.size(); ++i) {
        splits_[i].visit("admm/term " + std::to_string(i), archive);
    }
}

AdmmReport Admm::finish(StopReason stopped_by, const StopRule& rule) {
    AdmmReport report;
    if (iteration_) {
        report = std::move(iteration_->report);
        for (const Split& split : splits_) {
            report.couplings.push_back(split.rho());
        }
    }
    report.stopped_by = stopped_by;
    report.residuals = rule.residuals();
    iteration_.reset();
    return report;
}

AdmmReport Admm::solve(ConstArrayView b, ArrayView x, const AdmmOptions& options, IterationObserver* observer) {
    set_options(options);
    AdmmReport report;
    SolutionKeeper* const keeper = observer != nullptr ? observer->keeper() : nullptr;
    const SolutionKeeper::Visit result = [&](Archive& archive) {
        archive.array("admm/x", x);
        for (std::size_t i = 0; i < splits_.size(); ++i) {
            splits_[i].visit_multipliers("admm/term " + std::to_string(i), archive);
        }
        recon::visit(archive, report);
    };
    if (keeper != nullptr && keeper->begin(result)) {
        return report;
    }
    StopRule rule({options.iterations, options.stop}, observer);
    start(b, x);
    if (keeper != nullptr) {
        keeper->go_on([&](Archive& archive) {
            visit(archive);
            rule.visit(archive);
        });
    }
    const StopReason reason = run(*this, rule, x);
    report = finish(reason, rule);
    if (keeper != nullptr) {
        keeper->end(result);
    }
    return report;
}

}  // namespace recon
