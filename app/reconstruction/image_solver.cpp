#include "app/reconstruction/image_solver.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "app/pipeline/iteration_monitor.hpp"
#include "app/pipeline/shared_decision.hpp"
#include "app/reconstruction/regularisation/preconditioning.hpp"
#include "app/reconstruction/regularisation/regularised_system.hpp"
#include "app/reconstruction/regularisation/sparse_lambda.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"

namespace recon {
namespace {

/// The quadratic problem of a frame, for any right side and lambdas.
class QuadraticSolver {
public:
    QuadraticSolver(const FrameProblem& problem, const PriorTerms& priors)
        : problem_(problem), priors_(priors), preconditioning_(problem, priors) {}

    /// @param x  start value on entry, zero outside the support; solution on return
    CgReport solve(ConstArrayView right_side, ArrayView x, const CgOptions& options) const {
        const RegularisedSystem regularised(problem_, priors_.terms, priors_.support.get());
        const auto preconditioner = preconditioning_.with(priors_.terms);
        IterationMonitor monitor(problem_.context().run, options.iterations);
        SharedDecision decision(problem_.context().run, monitor);
        return solve_cg(regularised.system(), right_side, x, options, &decision, preconditioner.get());
    }

    /// Q(0) |W x|^2
    double penalty(const PriorTerm& term, ConstArrayView x) const {
        Array product(problem_.backend(), x.shape(), x.precision());
        term.w->normal(x, product);
        return problem_.q_centre() * problem_.backend().dot(x, product).real();
    }

private:
    const FrameProblem& problem_;
    const PriorTerms& priors_;
    Preconditioning preconditioning_;
};

/// Iterations that a candidate may take, whatever the image is given: a path whose solutions still converge from one
/// lambda to the next shows that in its curve, not what lambda does.
constexpr int candidate_iterations = 100;

/// Chooses the lambda of `term`, and sets it.
ChosenLambda choose_term(const FrameProblem& problem, const QuadraticSolver& solver, PriorTerms& priors,
                         PriorTerm& term, const NoiseLevel& noise, ArrayView image) {
    LambdaTerms terms;
    terms.solve = [&](double lambda, ConstArrayView right_side, ArrayView x, double energy_stop) {
        term.lambda = lambda;
        CgOptions options = problem.context().options.cg;
        options.energy_stop = energy_stop;
        options.iterations = std::max(options.iterations, candidate_iterations);
        if (!priors.support) {
            return solver.solve(right_side, x, options).iterations;
        }
        Array inside(problem.backend(), right_side.shape(), right_side.precision());
        priors.support->forward(right_side, inside);
        return solver.solve(inside, x, options).iterations;
    };
    terms.penalty = [&](ConstArrayView x) { return solver.penalty(term, x); };
    terms.other_terms = [&](ConstArrayView x) {
        double sum = 0;
        for (const PriorTerm& other : priors.terms) {
            sum += &other == &term ? 0 : other.lambda * solver.penalty(other, x);
        }
        return sum;
    };
    ChosenLambda chosen = choose_lambda(problem, terms, noise, image);
    term.lambda = chosen.choice.lambda;
    return chosen;
}

ImageReport solve_anew(const FrameProblem& problem, PriorTerms& priors, ArrayView image) {
    const ReconstructionContext& context = problem.context();
    ImageReport report;
    if (const RegularisationOptions& options = context.options.regularisation; options.scan != ScanPrior::none) {
        if (options.tells_its_error()) {
            context.run.begin_image();
        }
        report.scan = solve_with_scan_prior(problem, priors, image, report.cg);
        if (report.scan->used != ScanPrior::none && options.tells_its_error()) {
            return report;
        }
    }
    NoiseLevel noise;
    if (context.options.regularisation.chooses_lambda() && lambda_needs_noise(context.options.regularisation.lambda)) {
        noise = report.scan ? report.scan->noise : noise_of_scan(problem);
    }
    {
        const RegularisedSystem regularised(problem, priors.terms, priors.support.get());
        start_image(problem, regularised.system(), priors.support.get(), image);
        if (!context.options.regularisation.is_quadratic()) {
            const SparseSolver::Problem sparse{problem.normal(),         problem.fhd(),      regularised.system(),
                                               regularised.right_side(), problem.q_centre(), priors.support.get()};
            if (context.options.regularisation.chooses_lambda()) {
                SparseLambda path(problem, sparse);
                report.lambda = path.choose(noise, image);
                context.run.begin_image();
                report.admm = path.solve(report.lambda->choice.lambda, image);
            } else {
                context.run.begin_image();
                report.admm = SparseSolver(context, sparse).solve(image);
            }
            report.cg = summary_of(*report.admm);
            return report;
        }
    }
    const QuadraticSolver solver(problem, priors);
    const auto term = std::find_if(priors.terms.begin(), priors.terms.end(),
                                   [](const PriorTerm& one) { return one.origin == LambdaOrigin::automatic; });
    if (term != priors.terms.end()) {
        report.lambda = choose_term(problem, solver, priors, *term, noise, image);
    }
    context.run.begin_image();
    const auto stage = context.run.stage(Stage::solve);
    const RegularisedSystem regularised(problem, priors.terms, priors.support.get());
    report.cg = solver.solve(regularised.right_side(), image, context.options.cg);
    log_info("cg: {} in {:.2f} s, stopped by {}, relative residual {:.3e} (recomputed {:.3e})",
             counted(report.cg.iterations, "iteration"), stage.seconds(), name_of(report.cg.stopped_by),
             report.cg.residuals.empty() ? 0.0 : report.cg.residuals.back(), report.cg.true_residual);
    return report;
}

}  // namespace

ImageReport solve_image(const FrameProblem& problem, PriorTerms& priors, ArrayView image) {
    if (priors.reference_use()) {  // which is judged by the terms that the solution leaves in `priors`
        return solve_anew(problem, priors, image);
    }
    ImageReport report;
    const auto result = [&](Archive& archive) {
        archive.array("image", image);
        visit(archive, report.cg);
        archive.optional("admm", report.admm);
        archive.optional("lambda", report.lambda);
        archive.optional("scan", report.scan);
    };
    problem.context().run.kept(result, [&] { report = solve_anew(problem, priors, image); });
    return report;
}

}  // namespace recon
