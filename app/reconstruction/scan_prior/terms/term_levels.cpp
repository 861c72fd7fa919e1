#include "app/reconstruction/scan_prior/terms/term_levels.hpp"

#include <memory>
#include <utility>

namespace recon {

std::vector<TermLevel> levels_of(const FrameProblem& problem, const Array& u, const Support* support, double unit) {
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

}  // namespace recon
