#include "app/reconstruction/scan_prior/scan_system.hpp"

#include <cmath>
#include <utility>

#include "app/pipeline/iteration_monitor.hpp"
#include "app/pipeline/quiet_monitor.hpp"
#include "app/pipeline/shared_decision.hpp"
#include "core/operators/even_grid.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"
#include "core/operators/preconditioners/interpolated_preconditioner.hpp"
#include "core/operators/preconditioners/stencil_projection.hpp"

namespace recon {
namespace {

constexpr int most_iterations = 200;
/// Streams of WhiteNoise: those of a draw's coils come first.
constexpr std::uint64_t prior_stream = std::uint64_t{1} << 40;

PerAxis<Index> grid_of(const FrameProblem& problem) { return circulant_grid(problem.context().matrix_size()); }

/// `of_data` and the eigenvalues of the other terms.
Array with_priors(const FrameProblem& problem, const PriorTerms& priors, ConstArrayView of_data) {
    Backend& backend = problem.backend();
    Array sum(backend, of_data.shape(), of_data.precision());
    backend.copy(of_data, sum);
    for (const PriorTerm& term : priors.terms) {
        Array of_term(backend, of_data.shape(), of_data.precision());
        upload_real(project_stencil(Normal(*term.w)).spectrum, of_term);
        backend.axpby(term.lambda * problem.q_centre(), of_term, 1, sum);
    }
    return sum;
}

/// @param of_rest  eigenvalues of the data and the other terms
std::unique_ptr<const LinearOperator> preconditioner_of(const FrameProblem& problem, const ScanTerm& scan,
                                                        ConstArrayView of_rest) {
    Backend& backend = problem.backend();
    const Array of_scan = even_array(backend, grid_of(problem), of_rest.precision(),
                                     [&scan](std::size_t at) { return (*scan.spectrum)[at]; });
    const auto circulant = [&](double strength) {
        Array sum(backend, of_rest.shape(), of_rest.precision());
        backend.copy(of_rest, sum);
        backend.axpby(strength, of_scan, 1, sum);
        return std::make_unique<CirculantPreconditioner>(problem.image_shape(), sum);
    };
    if (scan.levels.empty()) {
        return circulant(1);
    }
    std::vector<InterpolatedPreconditioner::Part> parts;
    for (const TermLevel& level : scan.levels) {
        parts.push_back({level.root_share, circulant(level.strength)});
    }
    return std::make_unique<InterpolatedPreconditioner>(std::move(parts));
}

}  // namespace

ScanSystem::ScanSystem(const FrameProblem& problem, const PriorTerms& priors, const ScanTerm& scan,
                       ConstArrayView of_data, double deviation, const AskedLimits& asked)
    : problem_(problem),
      support_(priors.support.get()),
      terms_(priors.terms),
      scan_spectrum_(scan.spectrum),
      scan_deviations_(scan.deviations),
      scan_deviation_(scan.deviation),
      deviation_(deviation),
      asked_(asked) {
    terms_.push_back(scan.term);
    regularised_.emplace(problem, terms_, support_);
    preconditioner_ = priors.terms.empty() ? preconditioner_of(problem, scan, of_data)
                                           : preconditioner_of(problem, scan, with_priors(problem, priors, of_data));
    if (support_ != nullptr) {
        supported_.emplace(*preconditioner_, *support_);
    }
}

CgOptions ScanSystem::options(const Stop& stop) const {
    CgOptions cg = problem_.context().options.cg;
    cg.iterations = asked_.iterations.value_or(most_iterations);
    cg.stop = asked_.stop.value_or(0);
    const bool asked = asked_.iterations || asked_.stop;
    cg.energy_stop = asked ? 0 : stop.energy;
    cg.size_stop = asked ? 0 : stop.size;
    cg.closes = stop.closes;
    return cg;
}

CgReport ScanSystem::solve(ArrayView x, const Stop& stop, const char* name) const {
    const CgOptions cg = options(stop);
    IterationMonitor monitor(problem_.context().run, cg.iterations, name);
    return solve(regularised_->right_side(), x, cg, monitor);
}

CgReport ScanSystem::sample(ConstArrayView right_side, ArrayView x, const Stop& stop) const {
    QuietMonitor quiet(problem_.context().run);
    return solve(right_side, x, options(stop), quiet);
}

CgReport ScanSystem::solve(ConstArrayView right_side, ArrayView x, const CgOptions& options,
                           IterationObserver& observer) const {
    SharedDecision decision(problem_.context().run, observer);
    return solve_cg(regularised_->system(), right_side, x, options, &decision,
                    supported_ ? static_cast<const LinearOperator*>(&*supported_) : preconditioner_.get());
}

void ScanSystem::draw_of_term(std::size_t number, Index draw, ArrayView image) const {
    const PriorTerm& term = terms_[number];
    const std::uint64_t stream = prior_stream + 16 * static_cast<std::uint64_t>(draw) + number;
    Array white(image.backend(), term.w->codomain(), image.precision());
    image.backend().fill_white(stream, 0, white);
    const bool is_scan = number + 1 == terms_.size();
    if (is_scan && !scan_deviations_.empty()) {
        const Array deviations = even_array(image.backend(), grid_of(problem_), white.precision(),
                                            [this](std::size_t at) { return scan_deviations_[at]; });
        image.backend().multiply(Conjugate::no, deviations, white, Accumulate::no, white);
    } else {
        image.backend().scale(is_scan ? scan_deviation_ : deviation_, white);
    }
    term.w->adjoint(white, image);
    image.backend().scale(std::sqrt(term.lambda * problem_.q_centre()), image);
}

void ScanSystem::add_draw_of_priors(Index draw, ArrayView image) const {
    Array part(image.backend(), image.shape(), image.precision());
    for (std::size_t number = 0; number < terms_.size(); ++number) {
        draw_of_term(number, draw, part);
        image.backend().axpby(1, part, 1, image);
    }
}

void ScanSystem::set_to_prior_draw(Index draw, ArrayView image) const {
    Array right_side(image.backend(), image.shape(), image.precision());
    draw_of_term(terms_.size() - 1, draw, right_side);
    const CirculantFilter inverse(image.shape(),
                                  even_array(image.backend(), grid_of(problem_), image.precision(),
                                             [this](std::size_t at) { return 1 / (*scan_spectrum_)[at]; }));
    inverse.forward(right_side, image);
    restrict_to_support(image);
}

void ScanSystem::restrict_to_support(ArrayView image) const {
    if (support_ != nullptr) {
        support_->restrict_to_support(image);
    }
}

void ScanSystem::scale_to_fit(ArrayView image) const {
    image.backend().scale(projection(regularised_->right_side(), image), image);
}

void ScanSystem::take_off(ConstArrayView part, ArrayView image) const {
    Array product(image.backend(), image.shape(), image.precision());
    regularised_->system().forward(image, product);
    image.backend().axpby(-projection(product, part), part, 1, image);
}

cdouble ScanSystem::projection(ConstArrayView right_side, ConstArrayView part) const {
    Backend& backend = part.backend();
    Array product(backend, part.shape(), part.precision());
    regularised_->system().forward(part, product);
    const double energy = backend.dot(part, product).real();
    return energy > 0 ? backend.dot(part, right_side) / energy : 0;
}

}  // namespace recon
