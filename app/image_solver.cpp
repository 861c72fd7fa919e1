#include "app/image_solver.hpp"

#include <memory>
#include <vector>

#include "app/shared_decision.hpp"
#include "core/log.hpp"
#include "core/operator_algebra.hpp"

namespace recon {
namespace {

/// E^H E + sum_i lambda_i Q(0) W_i^H W_i
class RegularisedSystem {
public:
    explicit RegularisedSystem(const FrameProblem& problem) : system_(&problem.normal()) {
        const ReconstructOptions& options = problem.context().options;
        for (const PriorTermOptions& term : options.regularisation.terms) {
            const LinearOperator& w = keep<Identity>(problem.backend(), problem.image_shape(), options.precision);
            system_ = &keep<Sum>(*system_, term.lambda * problem.q_centre(), keep<Normal>(w));
        }
    }
    const LinearOperator& system() const { return *system_; }

private:
    template <class Operator, class... Arguments>
    const LinearOperator& keep(Arguments&&... arguments) {
        parts_.push_back(std::make_unique<Operator>(std::forward<Arguments>(arguments)...));
        return *parts_.back();
    }

    std::vector<std::unique_ptr<LinearOperator>> parts_;
    const LinearOperator* system_;
};

}  // namespace

CgReport solve_image(const FrameProblem& problem, ArrayView image) {
    const ReconstructionContext& context = problem.context();
    const CgOptions& options = context.options.cg;
    const auto stage = context.timer.stage("cg");
    const RegularisedSystem regularised(problem);
    context.backend.fill(0, image);
    CgReport report;
    {
        IterationMonitor monitor(options.iterations, context.monitor);
        SharedDecision decision(context.ranks(), monitor);
        report = solve_cg(regularised.system(), problem.fhd(), image, options, &decision);
    }
    log_info("cg: {} iterations in {:.2f} s, stopped by {}, relative residual {:.3e} (recomputed {:.3e})",
             report.iterations, stage.seconds(), report.stopped_by,
             report.residuals.empty() ? 0.0 : report.residuals.back(), report.true_residual);
    return report;
}

}  // namespace recon
