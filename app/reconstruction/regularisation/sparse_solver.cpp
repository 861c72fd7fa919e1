#include "app/reconstruction/regularisation/sparse_solver.hpp"

#include "app/pipeline/iteration_monitor.hpp"
#include "app/pipeline/shared_decision.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"

namespace recon {
namespace {

double amplitude_of(const SparseSolver::Problem& problem) {
    Array work(problem.fhd.backend(), problem.fhd.shape(), problem.fhd.precision());
    return image_amplitude(problem.normal, problem.fhd, work);
}

}  // namespace

SparseSolver::SparseSolver(const ReconstructionContext& context, const Problem& problem)
    : context_(context), problem_(problem), amplitude_(amplitude_of(problem)) {
    if (amplitude_ > 0) {
        terms_.emplace(context, problem.fhd.shape(), problem.q_centre, amplitude_, problem.support);
        admm_.emplace(problem_.system, terms_->terms());
    }
}

void SparseSolver::set_lambda(std::size_t penalty, double lambda) {
    if (!(lambda > 0)) {
        throw UsageError(fmt::format("`lambda` {}: expected a positive number for a prior that is no square", lambda));
    }
    if (admm_) {
        admm_->set_weight(penalty, terms_->weight(lambda));
    }
}

AdmmReport SparseSolver::solve(ArrayView image) {
    const AdmmOptions& options = context_.options.admm;
    const auto stage = context_.run.stage(Stage::solve);
    AdmmReport report;
    report.stopped_by = StopReason::zero_data;
    if (admm_) {
        IterationMonitor monitor(context_.run, options.iterations, "admm");
        SharedDecision decision(context_.run, monitor);
        report = admm_->solve(problem_.right_side, image, options, &decision);
    } else {
        context_.backend.fill(0, image);
    }
    log_info(
        "admm: {} with {} of cg in {:.2f} s, stopped by {}, relative residual {:.3e}; amplitude of the "
        "image "
        "{:.4g}",
        counted(report.iterations, "iteration"), report.inner_iterations, stage.seconds(), name_of(report.stopped_by),
        report.residuals.empty() ? 0.0 : report.residuals.back(), amplitude_);
    return report;
}

CgReport summary_of(const AdmmReport& report) {
    CgReport summary;
    summary.iterations = report.iterations;
    summary.stopped_by = report.stopped_by;
    summary.residuals = report.residuals;
    summary.true_residual = report.residuals.empty() ? 0 : report.residuals.back();
    return summary;
}

}  // namespace recon
