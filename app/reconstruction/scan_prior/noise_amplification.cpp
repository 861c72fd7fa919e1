#include "app/reconstruction/scan_prior/noise_amplification.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "app/pipeline/quiet_monitor.hpp"
#include "app/pipeline/shared_decision.hpp"
#include "app/reconstruction/regularisation/preconditioning.hpp"
#include "app/reconstruction/scan_prior/evidence/scan_statistics.hpp"
#include "core/base/log.hpp"
#include "core/base/number_text.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {
namespace {

constexpr int most_iterations_of_draw = 200;
/// What is left of z^H A z, whose mean is one for each voxel, where a solution stops.
constexpr double draw_accuracy = 1e-2;
/// And of |z|^2: directions that the coils hardly tell apart weigh nothing in the energy, and are where g is large.
constexpr double draw_size_accuracy = 1e-3;
/// Voxels whose coils see less of the largest A_rr are empty.
constexpr double least_sensitivity = 1e-6;

std::optional<CirculantPreconditioner> preconditioner_of(const FrameProblem& problem) {
    if (!problem.plans().q()) {
        return std::nullopt;
    }
    const PerAxis<Index> matrix = problem.context().matrix_size();
    const std::vector<float> spectrum =
        circulant_spectrum(problem.backend(), *problem.plans().q(), problem.normal_coils(), matrix, problem.ranks());
    std::vector<double> values(spectrum.begin(), spectrum.end());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    for (double& value : values) {
        value = std::max(value, 1e-3 * mean);
    }
    return std::make_optional<CirculantPreconditioner>(problem.backend(), problem.image_shape(), values,
                                                       problem.context().options.precision);
}

}  // namespace

NamedArray g_factor_map(const FrameProblem& problem, Index draws) {
    const auto stage = problem.context().run.stage(Stage::solve);
    const auto preconditioner = preconditioner_of(problem);
    const std::vector<double> diagonal = sense_diagonal(problem);
    CgOptions options;
    options.iterations = most_iterations_of_draw;
    options.energy_stop = draw_accuracy * static_cast<double>(diagonal.size());
    options.size_stop = draw_size_accuracy;
    std::vector<double> squares(diagonal.size(), 0.0);
    QuietMonitor quiet(problem.context().run);
    SharedDecision decision(problem.context().run, quiet);
    Index done = 0;
    for (; done < draws; ++done) {
        const Array right_side = adjoint_of_white_noise(problem, done);
        Array z(problem.backend(), problem.image_shape(), right_side.precision());
        problem.backend().fill(0, z);
        const CgReport report =
            solve_cg(problem.normal(), right_side, z, options, &decision, preconditioner ? &*preconditioner : nullptr);
        if (report.stopped_by == StopReason::cancelled) {
            break;
        }
        const std::vector<cfloat> values = download<float>(z);
        for (std::size_t n = 0; n < values.size(); ++n) {
            squares[n] += std::norm(cdouble(values[n]));
        }
    }
    if (done == 0) {
        return {};
    }
    const double of_ones = problem.plans().unweighted_q_centre() / problem.q_centre() / static_cast<double>(done);
    const double least = least_sensitivity * *std::max_element(diagonal.begin(), diagonal.end());
    std::vector<float> g;
    double sum = 0, count = 0, largest = 0;
    for (std::size_t n = 0; n < squares.size(); ++n) {
        const double value = diagonal[n] > least ? std::sqrt(squares[n] * of_ones * diagonal[n]) : 0;
        g.push_back(static_cast<float>(value));
        sum += value;
        count += value > 0;
        largest = std::max(largest, value);
    }
    log_info("g-factor: mean {:.2f}, largest {:.2f}, from {} of noise in {:.2f} s", count > 0 ? sum / count : 0.0,
             largest, counted(done, "draw"), stage.seconds());
    const auto [x, y, z] = problem.context().matrix_size();
    return {"uncertainty/g_factor", {"z", "y", "x"}, {z, y, x}, std::move(g), ""};
}

void add_g_factor(const FrameProblem& problem, std::vector<NamedArray>& maps) {
    const Index draws = problem.context().options.regularisation.g_factor_draws;
    if (draws > 0) {
        NamedArray map = g_factor_map(problem, draws);
        if (!map.name.empty()) {
            maps.push_back(std::move(map));
        }
    }
}

}  // namespace recon
