#include "app/image_solver.hpp"

#include "app/regularised_system.hpp"
#include "app/shared_decision.hpp"
#include "app/sparse_solver.hpp"
#include "core/log.hpp"

namespace recon {

ImageReport solve_image(const FrameProblem& problem, const PriorTerms& priors, ArrayView image) {
    const ReconstructionContext& context = problem.context();
    const CgOptions& options = context.options.cg;
    const RegularisedSystem regularised(problem, priors.terms, priors.support.get());
    context.backend.fill(0, image);
    if (!context.options.regularisation.is_quadratic()) {
        SparseSolver solver(context, {problem.normal(), problem.fhd(), regularised.system(), regularised.right_side(),
                                      problem.q_centre(), priors.support.get()});
        const AdmmReport report = solver.solve(image);
        return {summary_of(report), report};
    }
    const auto stage = context.timer.stage("cg");
    CgReport report;
    {
        IterationMonitor monitor(options.iterations, context.monitor);
        SharedDecision decision(context.ranks(), monitor);
        report = solve_cg(regularised.system(), regularised.right_side(), image, options, &decision);
    }
    log_info("cg: {} iterations in {:.2f} s, stopped by {}, relative residual {:.3e} (recomputed {:.3e})",
             report.iterations, stage.seconds(), report.stopped_by,
             report.residuals.empty() ? 0.0 : report.residuals.back(), report.true_residual);
    return {report, std::nullopt};
}

}  // namespace recon
