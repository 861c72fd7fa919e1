#pragma once

#include <optional>
#include <vector>

#include "solver/solution_keeper.hpp"
#include "solver/solver.hpp"

namespace recon {

/// Told of every iteration; outside the solver live the progress bar, previews and Ctrl-C.
class IterationObserver {
public:
    virtual ~IterationObserver() = default;
    /// @param iteration  1 after the first  @param relative_residual  as Step::residual  @return false to stop here
    virtual bool iteration_done(int iteration, double relative_residual, ConstArrayView x) = 0;
    /// Where the solution is kept; null: nowhere.
    virtual SolutionKeeper* keeper() { return nullptr; }
};

struct StopLimits {
    int iterations = 0;   ///< at most
    double residual = 0;  ///< at which to stop; 0 never does but for a residual of 0
    /// Stop when what is left to gain is less than this, by the geometric series through the gains of the last four
    /// iterations; 0 never does.
    double energy = 0;
    /// And not before |x|^2 is to change by less than this part of it, by the same series; 0 does not ask.
    double size = 0;
};

/// When to stop, for every solver alike. Asked in this order: observer, residual, energy, iterations.
class StopRule {
public:
    explicit StopRule(const StopLimits& limits, IterationObserver* observer = nullptr)
        : limits_(limits), observer_(observer) {}

    /// Before a step. @return why there is to be none; for what the step before came to, too, if that was taken up
    std::optional<StopReason> before_step() const;
    /// After one that gained something.
    std::optional<StopReason> after_step(const Step& step, ConstArrayView x);

    int iterations() const { return iterations_; }  ///< steps so far
    /// |x|^2 over what it was where it first seemed to rest, for five times the part of it that the limits allow. Where
    /// the series was right it is no more than 1 plus that part. 1 where it never seemed to, or the limits do not ask.
    double growth_after_rest() const { return size_at_rest_ > 0 ? size_ / size_at_rest_ : 1; }
    const std::vector<double>& residuals() const { return residuals_; }

    void visit(Archive& archive);

private:
    std::optional<StopReason> reason_of_last() const;
    bool energy_rests() const;
    bool size_rests(double part) const;

    StopLimits limits_;
    IterationObserver* observer_;
    int iterations_ = 0;
    std::vector<double> residuals_;  ///< after each step
    std::vector<double> gains_;      ///< of energy, of each step
    double size_ = 0;                ///< |x|^2 after the last step; 0 where the limits do not ask
    std::vector<double> changes_;    ///< of |x|^2, of each step but the first
    double size_at_rest_ = 0;        ///< |x|^2 where it first seemed to rest; 0: not yet
};

/// Steps until the rule, or the solver, says to stop. The solver has been started with this x.
StopReason run(Solver& solver, StopRule& rule, ConstArrayView x);

}  // namespace recon
