#pragma once

#include <optional>

#include "core/backend/array.hpp"
#include "solver/archive.hpp"
#include "solver/stop_reason.hpp"

namespace recon {

/// What one step came to.
struct Step {
    double residual = 0;                     ///< relative
    double energy_gain = 0;                  ///< by the step, where the method knows it
    std::optional<StopReason> stopped = {};  ///< breakdown or zero data: nothing was gained, and no step will gain more
};

/// An iterative method that can be stopped after any step, saved, and taken up again with the same bytes.
///
///     solver.start(b, x);      // then, to take up a saved run: solver.visit(archive)
///     StopRule rule(...);      //                               rule.visit(archive)
///     const StopReason reason = run(solver, rule, x);
class Solver {
public:
    virtual ~Solver() = default;

    /// @param b  outlives the run, unchanged
    /// @param x  start value on entry; after each step the solution so far. Outlives the run
    virtual void start(ConstArrayView b, ArrayView x) = 0;
    /// One iteration. @throws Error if numbers are met that are not finite
    virtual Step step() = 0;
    /// Everything that the next steps depend on, x among it, b and the operators not.
    virtual void visit(Archive& archive) = 0;
};

}  // namespace recon
