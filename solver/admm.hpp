#pragma once

#include <memory>
#include <vector>

#include "core/operators/linear_operator.hpp"
#include "core/operators/penalties/penalty.hpp"
#include "solver/conjugate_gradient.hpp"
#include "solver/solver.hpp"

namespace recon {

/// One term `weight f(Phi x)` of a problem. Keeps references: both must outlive it.
struct PenaltyTerm {
    const LinearOperator& transform;  ///< Phi
    const Penalty& penalty;           ///< f
    double weight = 0;                ///< positive
    double coupling = 0;              ///< rho to start with, positive; it adapts
};

struct AdmmOptions {
    int iterations = 50;
    double stop = 1e-3;            ///< largest of the relative primal and dual residuals at which to stop; 0: run all
    int inner_iterations = 10;     ///< most of conjugate gradients an iteration
    double over_relaxation = 1.6;  ///< 1: none [Boyd 2011, section 3.4.3]
};

struct AdmmReport {
    int iterations = 0;
    int inner_iterations = 0;  ///< of conjugate gradients, in all
    StopReason stopped_by = StopReason::iterations;
    std::vector<double> residuals;  ///< the larger one of the two below, after each iteration
    std::vector<double> primal_residuals;
    std::vector<double> dual_residuals;
    std::vector<double> objectives;  ///< of x after each iteration
    std::vector<double> couplings;   ///< rho of each term at the end
};

/// For the end of a solution that is kept.
void visit(Archive& archive, AdmmReport& report);

/// Minimises
///
///     <x, N x> / 2 - Re <b, x> + sum_j weight_j f_j(Phi_j x)
///
/// with N self-adjoint and positive semi-definite, by the alternating direction method of multipliers [Boyd 2011]:
///
///     x   = (N + sum_j rho_j Phi_j^H Phi_j)^-1 (b + sum_j rho_j Phi_j^H (z_j - u_j))     by conjugate gradients
///     v_j = a Phi_j x + (1 - a) z_j                                                      over-relaxation
///     z_j = prox of (weight_j / rho_j) f_j at v_j + u_j
///     u_j = u_j + v_j - z_j
///
/// weight_j^-1 rho_j u_j is a subgradient of f_j at z_j, so that x is the solution once both of these are small:
///
///     primal residual  max_j |Phi_j x - z_j| / max(|Phi_j x|, |z_j|)
///     dual residual    |N x - b + sum_j rho_j Phi_j^H u_j| / |sum_j rho_j Phi_j^H u_j|
///
/// The dual one is computed as it stands, because conjugate gradients leave an error in x. Each rho_j is balanced so
/// that |Phi x - z| / max(|Phi x|, |z|) and |Phi^H (z - z before)| / |Phi^H u| stay within a factor of each other
/// [Wohlberg 2017].
///
/// The multipliers stay from one `solve` to the next: a run at another weight starts where the last one ended.
/// Memory: an array like x for each of the right-hand side, a work array, the terms' products and those of solve_cg;
/// for each term three arrays like Phi x.
class Admm final : public Solver {
public:
    /// @throws Error unless weights and couplings are positive and finite
    Admm(const LinearOperator& system, const std::vector<PenaltyTerm>& terms);
    ~Admm() override;
    Admm(const Admm&) = delete;
    Admm& operator=(const Admm&) = delete;

    /// Scales the multipliers along, so that they suit the new weight.
    void set_weight(std::size_t term, double weight);
    /// Of the steps to come; `iterations` and `stop` are those of `solve`.
    void set_options(const AdmmOptions& options) { options_ = options; }

    void start(ConstArrayView b, ArrayView x) override;
    Step step() override;
    void visit(Archive& archive) override;

    /// What there is to say of a run, which is over.
    AdmmReport finish(StopReason stopped_by, const StopRule& rule);

    /// The whole of it, or what the observer's keeper has of it. @param x  start value on entry, solution on return
    /// @param observer  told the iteration and the larger residual
    /// @throws Error if numbers are met that are not finite
    AdmmReport solve(ConstArrayView b, ArrayView x, const AdmmOptions& options, IterationObserver* observer = nullptr);

private:
    class Split;
    class CoupledSystem;
    struct Iteration;

    double update_x(Iteration& now);

    const LinearOperator& system_;
    AdmmOptions options_;
    std::vector<Split> splits_;
    std::unique_ptr<Iteration> iteration_;  ///< null: not started, or the right-hand side is zero
};

}  // namespace recon
