#pragma once

#include <memory>
#include <vector>

#include "core/operators/linear_operator.hpp"
#include "solver/solver.hpp"
#include "solver/stop_rule.hpp"

namespace recon {

struct CgOptions {
    int iterations = 30;
    double stop = 0;  ///< relative residual |r| / |b| at which to stop; 0 runs all iterations
    /// So many first residuals are kept, and later ones made orthogonal to them: exact arithmetic would do that by
    /// itself, rounding undoes it on ill-conditioned scans.
    int guard_vectors = 4;
    /// Stop when about this is left of `CgReport::energy` to gain (`StopLimits`); 0 never does.
    double energy_stop = 0;
    double size_stop = 0;  ///< and |x|^2 has come to rest to this part of it (`StopLimits`); 0 does not ask
    bool closes = true;    ///< whether one more product tells what x has come to
};

struct CgReport {
    int iterations = 0;
    StopReason stopped_by = StopReason::iterations;
    std::vector<double> residuals;  ///< |r| / |b| after each iteration, by the recurrence
    double true_residual = 0;       ///< |b - A x| / |b|, computed anew at the end; without `closes` the last of those
    /// 2 Re x^H b - x^H A x at the end. Each iteration raises it, towards b^H A^-1 b. Without `closes` unknown, 0.
    double energy = 0;
    double growth_after_rest = 1;  ///< of |x|^2, as StopRule
};

/// Solves A x = b for a self-adjoint, positive semi-definite A by conjugate gradients [Hestenes 1952], preconditioned
/// where a preconditioner is given [Saad 2003, algorithm 9.1]. A step waits for the device once.
///
/// Scalars and reductions are double in both storage precisions. Memory: 3 + guard_vectors arrays like x; with a
/// preconditioner 4 + 2 guard_vectors.
class ConjugateGradients final : public Solver {
public:
    /// @param a, preconditioner  outlive the solver. The preconditioner is self-adjoint, positive definite, near the
    ///                           inverse of A; null: plain conjugate gradients
    /// @param guard_vectors      as CgOptions
    ConjugateGradients(const LinearOperator& a, const LinearOperator* preconditioner, int guard_vectors);
    ~ConjugateGradients() override;

    void start(ConstArrayView b, ArrayView x) override;
    Step step() override;
    void visit(Archive& archive) override;

    struct Closing {
        double true_residual = 0;  ///< as CgReport
        double energy = 0;
    };
    /// What x has come to, by one more product. The run is over.
    Closing close();

private:
    class Iteration;

    const LinearOperator& a_;
    const LinearOperator* preconditioner_;
    int guard_vectors_;
    std::unique_ptr<Iteration> iteration_;  ///< null: the right-hand side is zero
};

/// For the end of a solution that is kept.
void visit(Archive& archive, CgReport& report);

/// The whole of it, or what the observer's keeper has of it. @param x  start value on entry, solution on return
/// @throws Error if the iteration produces numbers that are not finite
CgReport solve_cg(const LinearOperator& a, ConstArrayView b, ArrayView x, const CgOptions& options,
                  IterationObserver* observer = nullptr, const LinearOperator* preconditioner = nullptr);

}  // namespace recon
