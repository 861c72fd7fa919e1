#include "app/reconstruction/regularisation/preconditioning.hpp"

#include <algorithm>
#include <numeric>

#include "app/reconstruction/problem/coil_energy.hpp"
#include "app/reconstruction/problem/gridding_baseline.hpp"
#include "core/base/error.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"
#include "core/operators/preconditioners/stencil_projection.hpp"
#include "core/operators/support.hpp"

namespace recon {
namespace {

/// What is added to the eigenvalues of an approximation, as a part of their mean, so that none is zero.
constexpr double floor_of_mean = 1e-3;

void add_floor(std::vector<double>& values) {
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    for (double& value : values) {
        value = std::max(value, 0.0) + floor_of_mean * mean;
    }
}

}  // namespace

std::vector<double> sense_diagonal(const FrameProblem& problem) {
    std::vector<double> diagonal;
    for (const cdouble& value : download<double>(coil_energy(problem))) {
        diagonal.push_back(problem.q_centre() * value.real());
    }
    return diagonal;
}

namespace {

/// P A P, A its own: conjugate gradients stay inside the support.
class OnSupport final : public LinearOperator {
public:
    OnSupport(std::unique_ptr<LinearOperator> a, const Support& support)
        : LinearOperator(a->name() + " on the support", a->backend(), a->domain(), a->codomain(), a->precision()),
          a_(std::move(a)),
          supported_(*a_, support) {}

private:
    void do_forward(ConstArrayView x, ArrayView y) const override { supported_.forward(x, y); }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { supported_.adjoint(y, x); }

    std::unique_ptr<LinearOperator> a_;
    Supported supported_;
};

}  // namespace

Preconditioning::Preconditioning(const FrameProblem& problem, const PriorTerms& priors)
    : problem_(problem), priors_(priors) {
    const PreconditionerKind kind = problem.context().options.preconditioner;
    if (kind == PreconditionerKind::none) {
        return;
    }
    if (kind == PreconditionerKind::circulant && !problem.plans().q()) {
        throw UsageError(
            "`preconditioner` circulant is made from Q, which `off_resonance` exact does without; expected jacobi or "
            "none");
    }
    const auto stage = problem.context().run.stage(Stage::start);
    if (kind == PreconditionerKind::jacobi) {
        of_data_ = sense_diagonal(problem);
    } else {
        const std::vector<float> spectrum =
            circulant_spectrum(problem.backend(), *problem.plans().q(), problem.normal_coils(),
                               problem.context().matrix_size(), problem.ranks());
        of_data_.assign(spectrum.begin(), spectrum.end());
    }
    for (const PriorTerm& term : priors.terms) {
        StencilProjection projection = project_stencil(Normal(*term.w));
        of_priors_.push_back(kind == PreconditionerKind::jacobi ? std::move(projection.diagonal)
                                                                : std::move(projection.spectrum));
        for (double& value : of_priors_.back()) {
            value *= problem.q_centre();
        }
    }
}

std::unique_ptr<LinearOperator> Preconditioning::with(const std::vector<PriorTerm>& terms) const {
    if (of_data_.empty()) {
        return nullptr;
    }
    Backend& backend = problem_.backend();
    const ReconstructOptions& options = problem_.context().options;
    std::vector<double> values = of_data_;
    add_floor(values);
    for (std::size_t i = 0; i < of_priors_.size(); ++i) {
        for (std::size_t n = 0; n < values.size(); ++n) {
            values[n] += terms[i].lambda * of_priors_[i][n];
        }
    }
    std::unique_ptr<LinearOperator> preconditioner;
    if (options.preconditioner == PreconditionerKind::circulant) {
        preconditioner =
            std::make_unique<CirculantPreconditioner>(backend, problem_.image_shape(), values, options.precision);
    } else {
        Array diagonal(backend, problem_.image_shape(), options.precision);
        upload(std::vector<cdouble>(values.begin(), values.end()), diagonal);
        preconditioner = std::make_unique<DiagonalPreconditioner>(std::move(diagonal));
    }
    return priors_.support ? std::make_unique<OnSupport>(std::move(preconditioner), *priors_.support)
                           : std::move(preconditioner);
}

void start_image(const FrameProblem& problem, const LinearOperator& system, const Support* support, ArrayView image) {
    Backend& backend = problem.backend();
    backend.fill(0, image);
    if (problem.context().options.start == StartImage::zero) {
        return;
    }
    const Array gridded = gridded_image(problem);
    if (support != nullptr) {
        support->forward(gridded, image);
    } else {
        backend.copy(gridded, image);
    }
    Array product(backend, gridded.shape(), gridded.precision());
    system.forward(image, product);
    const double energy = backend.dot(image, product).real();
    backend.scale(energy > 0 ? backend.dot(image, problem.fhd()) / energy : 0, image);
}

}  // namespace recon
