// What solvers report, for solutions that are kept. Bound by number, so that a member that is added is missed here.
#include "solver/admm.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {

void visit(Archive& archive, CgReport& report) {
    auto& [iterations, stopped_by, residuals, true_residual, energy, growth_after_rest] = report;
    archive.count("cg_report/iterations", iterations);
    archive.count("cg_report/stopped_by", stopped_by);
    archive.numbers("cg_report/residuals", residuals);
    archive.number("cg_report/true_residual", true_residual);
    archive.number("cg_report/energy", energy);
    archive.number("cg_report/growth_after_rest", growth_after_rest);
}

void visit(Archive& archive, AdmmReport& report) {
    auto& [iterations, inner_iterations, stopped_by, residuals, primal, dual, objectives, couplings] = report;
    archive.count("admm_report/iterations", iterations);
    archive.count("admm_report/inner_iterations", inner_iterations);
    archive.count("admm_report/stopped_by", stopped_by);
    archive.numbers("admm_report/residuals", residuals);
    archive.numbers("admm_report/primal_residuals", primal);
    archive.numbers("admm_report/dual_residuals", dual);
    archive.numbers("admm_report/objectives", objectives);
    archive.numbers("admm_report/couplings", couplings);
}

}  // namespace recon
