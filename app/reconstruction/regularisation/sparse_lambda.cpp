#include "app/reconstruction/regularisation/sparse_lambda.hpp"

namespace recon {

SparseLambda::SparseLambda(const FrameProblem& problem, const SparseSolver::Problem& data)
    : problem_(problem), data_(data) {
    for (const PriorTermOptions& term : problem.context().options.regularisation.terms) {
        if (term.origin == LambdaOrigin::automatic) {
            break;
        }
        term_ += term.kind().quadratic ? 0 : 1;
    }
}

SparseSolver& SparseLambda::solver_of(ConstArrayView right_side) {
    OfRightSide& found = solvers_[right_side.address()];
    if (!found.solver) {
        if (data_.support != nullptr) {
            found.inside.emplace(right_side.backend(), right_side.shape(), right_side.precision());
            data_.support->forward(right_side, *found.inside);
        }
        const ConstArrayView inside = found.inside ? ConstArrayView(*found.inside) : right_side;
        found.solver = std::make_unique<SparseSolver>(
            problem_.context(),
            SparseSolver::Problem{data_.normal, right_side, data_.system, inside, data_.q_centre, data_.support});
    }
    return *found.solver;
}

/// What lambda multiplies beside the misfit. The objective of ADMM is half of |E x - d|^2 - |d|^2 plus all terms; those
/// of other priors are counted along.
double SparseLambda::penalty(double lambda, ConstArrayView image) const {
    if (last_of_data_.objectives.empty()) {
        return 0;
    }
    Array product(image.backend(), image.shape(), image.precision());
    data_.system.forward(image, product);
    const double quadratic =
        0.5 * image.backend().dot(image, product).real() - image.backend().dot(data_.right_side, image).real();
    return 2 * (last_of_data_.objectives.back() - quadratic) / lambda;
}

AdmmReport SparseLambda::solve(double lambda, ArrayView image) {
    SparseSolver& solver = solver_of(data_.fhd);
    solver.set_lambda(term_, lambda);
    return solver.solve(image);
}

ChosenLambda SparseLambda::choose(const NoiseLevel& noise, ArrayView image) {
    LambdaTerms terms;
    double now = 0;
    terms.response = LambdaProblem::Response::nonlinear;
    terms.solve = [&](double lambda, ConstArrayView right_side, ArrayView x, double) {
        SparseSolver& solver = solver_of(right_side);
        solver.set_lambda(term_, lambda);
        AdmmReport report = solver.solve(x);
        const int iterations = report.inner_iterations;
        if (right_side.address() == data_.fhd.address()) {
            last_of_data_ = std::move(report);
            now = lambda;
        }
        return iterations;
    };
    terms.penalty = [&](ConstArrayView x) { return penalty(now, x); };
    return choose_lambda(problem_, terms, noise, image);
}

}  // namespace recon
