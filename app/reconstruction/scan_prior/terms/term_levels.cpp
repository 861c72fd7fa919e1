#include "app/reconstruction/scan_prior/terms/term_levels.hpp"

#include <memory>
#include <utility>

namespace recon {
namespace {

std::vector<TermLevel> two_levels(const FrameProblem& problem, const Array& u, const Support* support, double unit) {
    Backend& backend = problem.backend();
    const auto like_u = [&] { return Array(backend, u.shape(), u.precision()); };
    Array inside = like_u(), flatness = like_u(), where_weak = like_u(), elsewhere = like_u(), sum = like_u();
    backend.fill(1, inside);
    if (support != nullptr) {
        support->restrict_to_support(inside);
    }
    backend.divide(inside, u, flatness);
    const double middle_squared = backend.dot(inside, u).real() / backend.dot(inside, flatness).real();

    backend.multiply(Conjugate::no, u, u, Accumulate::no, elsewhere);
    backend.fill(middle_squared, where_weak);
    backend.copy(elsewhere, sum);
    backend.axpby(1, where_weak, 1, sum);
    backend.divide(elsewhere, sum, elsewhere);
    backend.divide(where_weak, sum, where_weak);

    const double weak = backend.dot(where_weak, inside).real() / backend.dot(where_weak, flatness).real();
    backend.multiply(Conjugate::no, inside, elsewhere, Accumulate::no, sum);
    const double strong = backend.dot(sum, u).real() / backend.dot(sum, inside).real();
    backend.square_root(where_weak);
    backend.square_root(elsewhere);
    return {{unit * weak, std::make_shared<const Array>(std::move(where_weak))},
            {unit * strong, std::make_shared<const Array>(std::move(elsewhere))}};
}

}  // namespace

std::vector<TermLevel> levels_of(const FrameProblem& problem, const Array& u, const Support* support, double unit,
                                 const Array* sensitivity) {
    if (sensitivity == nullptr) {
        return two_levels(problem, u, support, unit);
    }
    Backend& backend = problem.backend();
    Array as_seen(backend, u.shape(), u.precision()), root = sensitivity->clone();
    backend.divide(u, *sensitivity, as_seen);
    backend.square_root(root);
    std::vector<TermLevel> levels = two_levels(problem, as_seen, support, unit);
    for (TermLevel& level : levels) {
        Array share(backend, u.shape(), u.precision());
        backend.divide(*level.root_share, root, share);
        level.root_share = std::make_shared<const Array>(std::move(share));
    }
    return levels;
}

std::vector<TermLevel> levels_of_even_term(const FrameProblem& problem, const Support* support,
                                           const Array* sensitivity) {
    if (sensitivity == nullptr) {
        return {};
    }
    Array inside(problem.backend(), sensitivity->shape(), sensitivity->precision());
    problem.backend().fill(1, inside);
    if (support != nullptr) {
        support->restrict_to_support(inside);
    }
    return levels_of(problem, inside, support, 1, sensitivity);
}

}  // namespace recon
