#include "app/image_solver.hpp"

#include "app/regularised_system.hpp"
#include "app/shared_decision.hpp"
#include "core/log.hpp"

namespace recon {
CgReport solve_image(const FrameProblem& problem, const PriorTerms& priors, ArrayView image) {
    const ReconstructionContext& context = problem.context();
    const CgOptions& options = context.options.cg;
    const auto stage = context.timer.stage("cg");
    const RegularisedSystem regularised(problem, priors.terms, priors.support.get());
    context.backend.fill(0, image);
    CgReport report;
    {
        IterationMonitor monitor(options.iterations, context.monitor);
        SharedDecision decision(context.ranks(), monitor);
        report = solve_cg(regularised.system(), regularised.right_side(), image, options, &decision);
    }
    log_info("cg: {} iterations in {:.2f} s, stopped by {}, relative residual {:.3e} (recomputed {:.3e})",
             report.iterations, stage.seconds(), report.stopped_by,
             report.residuals.empty() ? 0.0 : report.residuals.back(), report.true_residual);
    return report;
}

}  // namespace recon
